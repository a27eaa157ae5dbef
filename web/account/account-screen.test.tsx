import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { session } from '#web/lib/session.ts'
import { storage } from '#web/lib/storage.ts'
import { respondWith, withFaults, withHeldRequest } from '#web/test/faults.ts'
import { forgiven, withHabit } from '#web/test/habits.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

type Page = Awaited<ReturnType<typeof openAs>>
const section = async (name: string) => within(await screen.findByRole('region', { name }))
const password = (label: RegExp) => screen.findByLabelText(label, { selector: 'input' })
const settingsOf = async ({ portal }: Page, email: string) => (await portal.call(email, 'GET', '/users/settings/')).body
const signIn = ({ portal }: Page, secret: string) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: secret })

async function change({ user }: Page, from: string, to: string, again = to) {
  await user.type(await password(/^Current password/), from)
  await user.type(await password(/^New password/), to)
  await user.type(await password(/^Repeat new password/), again)
  await user.click(screen.getByRole('button', { name: 'Change password' }))
}

describe('R-2.23 account page', () => {
  test('a new password that is easy to guess is refused at its field', async () => {
    await using page = await openAs('alice@example.com', '/account')
    await change(page, DEMO_PASSWORD, 'alice1234')
    expect(await screen.findByText(/^That password is too easy to guess/)).toBeVisible()
    expect(await password(/^New password/)).toHaveAttribute('aria-invalid', 'true')
  })

  test('an unknown language and an unknown currency are shown as the current language and unchanged', async () => {
    await using portal = await startPortal()
    const server = withHabit(
      portal,
      (json) => json.replace(/"language":"\w+"/, '"language":"tlh"').replace(/"currency":"\w+"/, '"currency":"Galleon"'),
      String,
    )
    await renderAt('/account', { portal: server, as: 'alice@example.com' })
    expect(await screen.findByRole('combobox', { name: 'Language' })).toHaveValue('en')
    expect(screen.getByRole('combobox', { name: 'Currency' })).toHaveDisplayValue(/galleon/i)
    forgiven.splice(0)
  })

  test.each([
    ['/account', true],
    ['/account/2', true],
    ['/account/app', false],
  ])('%s shows the navigation bar: %s', async (path, hasBar) => {
    await using _ = await openAs('alice@example.com', path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
    expect(screen.queryByRole('navigation', { name: 'Main navigation' }) !== null).toBe(hasBar)
    expect(storage.get('lastVisitedRoute')).toBe('account')
  })

  test('the profile card shows name and birth date and links to the profile form', async () => {
    await using _ = await openAs('alice@example.com', '/account')
    const profile = await section('Profile')
    expect(profile.getByText('Alice Almeida')).toBeVisible()
    expect(profile.getByText(/^Born on .*1988$/)).toHaveTextContent(/17/)
    expect(profile.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/account_profil_update')
    const email = await section('E-mail')
    expect(email.getByText('alice@example.com')).toBeVisible()
    expect(email.getByText('Confirmed')).toBeVisible()
    expect(email.getByRole('link', { name: 'Change' })).toHaveAttribute('href', '/account_email_update')
    expect((await section('Delete account')).getByRole('link', { name: 'Delete' })).toHaveAttribute('href', '/account_delete')
  })

  test('an unconfirmed e-mail address is marked as such and links to its confirmation', async () => {
    await using _ = await openAs('chloe@example.com', '/account')
    const email = await section('E-mail')
    expect(email.getByText('Not confirmed')).toBeVisible()
    expect(email.getByRole('link', { name: 'Confirm' })).toHaveAttribute('href', '/account_email')
  })

  test('R-8.30 an account page that failed to load can be retried', async () => {
    await using portal = await startPortal()
    const server = withFaults(portal, { '/users/settings/': respondWith(500) })
    const { user } = await renderAt('/account', { portal: server, as: 'alice@example.com' })
    await screen.findByText('We could not load this.')
    server.mend()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Alice Almeida')).toBeVisible()
  })
})

describe('quiet hours', () => {
  test('quiet hours are switched on with the default night, changed and switched off again', async () => {
    await using page = await openAs('alice@example.com', '/account', { features: [...FEATURES] })
    const { user, portal } = page
    const saved = async () => (await portal.call('alice@example.com', 'GET', '/users/quiet_hours/')).body.quiet
    const preferences = await section('Preferences')
    await user.click(await preferences.findByRole('checkbox', { name: /^Quiet hours/ }))
    await waitFor(async () => expect(await saved()).toEqual({ from: '22:00', to: '07:00' }))
    await user.selectOptions(await preferences.findByRole('combobox', { name: 'Until' }), '08:30')
    await waitFor(async () => expect(await saved()).toEqual({ from: '22:00', to: '08:30' }))
    await user.click(preferences.getByRole('checkbox', { name: /^Quiet hours/ }))
    await waitFor(async () => expect(await saved()).toBeNull())
    expect(preferences.queryByRole('combobox', { name: 'Until' })).toBeNull()
  })

  test('a change of quiet hours waits for the response to the previous one', async () => {
    await using portal = await startPortal()
    const server = withHeldRequest(portal, 'PUT')
    const { user } = await renderAt('/account', { portal: server, as: 'alice@example.com', config: { features: [...FEATURES] } })
    const preferences = await section('Preferences')
    const hours = await preferences.findByRole('checkbox', { name: /^Quiet hours/ })
    await user.click(hours)
    await user.click(hours)
    expect(hours).not.toBeChecked()
    expect(server.sent).toHaveLength(1)
    server.release()
    await waitFor(() => expect(screen.getAllByText('Saved')).toHaveLength(2))
    expect(server.sent).toMatchObject([{ spans: [{ from: '22:00', to: '07:00' }] }, { spans: [] }])
    expect((await portal.call('alice@example.com', 'GET', '/users/quiet_hours/')).body.quiet).toBeNull()
  })

  test('quiet hours may not begin and end at the same time, and show how many alerts are held back', async () => {
    await using portal = await startPortal()
    await portal.call('alice@example.com', 'PUT', '/users/quiet_hours/', { quiet: { from: '21:15', to: '06:00' } })
    const server = withHabit(portal, (json) => json.replace('"waiting":0', '"waiting":2'), String)
    await renderAt('/account', { portal: server, as: 'alice@example.com', config: { features: [...FEATURES] } })
    const preferences = await section('Preferences')
    expect(await preferences.findByText(/2 alerts are waiting/)).toBeVisible()
    const from = within(preferences.getByRole('combobox', { name: 'From' }))
    expect(from.getAllByRole('option', { selected: true })[0]).toHaveValue('21:15')
    expect(from.getAllByRole('option').map((option) => (option as HTMLOptionElement).value)).not.toContain('06:00')
  })
})

describe('R-1.21 preferences', () => {
  test('a new language changes the interface at once and is saved to the account', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const preferences = await section('Preferences')
    await page.user.selectOptions(preferences.getByRole('combobox', { name: /^Language/ }), 'de')
    expect(await screen.findByRole('heading', { level: 1, name: 'Konto' })).toBeVisible()
    await waitFor(async () => expect(await settingsOf(page, 'alice@example.com')).toMatchObject({ language: 'de' }))
    expect(await screen.findByText('Gespeichert')).toBeVisible()
  })

  test('if the device shows another language than that of the account, the setting explains both', async () => {
    await using portal = await startPortal()
    await portal.call('alice@example.com', 'PATCH', '/users/settings/', { language: 'de' })
    await renderAt('/account', { portal, as: 'alice@example.com' })
    const preferences = await section('Preferences')
    const field = preferences.getByRole('combobox', { name: /^Language/ })
    expect(field).toHaveValue('de')
    expect(field).toHaveAccessibleDescription('For our e-mails; on this device the portal is in English')
  })

  test('R-3.50 currency, time zone and newsletter are saved at once, and each change can be undone', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const preferences = await section('Preferences')
    await page.user.selectOptions(preferences.getByRole('combobox', { name: 'Currency' }), 'chf')
    await page.user.selectOptions(preferences.getByRole('combobox', { name: /^Time zone/ }), 'Europe/Paris')
    await page.user.click(preferences.getByRole('checkbox', { name: /news and offers/ }))
    await waitFor(() => expect(screen.getAllByText('Saved')).toHaveLength(3))
    expect(await settingsOf(page, 'alice@example.com')).toMatchObject({
      currency: 'chf',
      time_zone: 'Europe/Paris',
      marketing_consent: true,
    })
    await page.user.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1)!)
    await waitFor(() => expect(preferences.getByRole('checkbox', { name: /news and offers/ })).not.toBeChecked())
    await waitFor(async () =>
      expect(await settingsOf(page, 'alice@example.com')).toMatchObject({ marketing_consent: false, currency: 'chf' }),
    )
  })

  test('of changes made before the first response, each is confirmed, and only a refused one is reverted, with a message that stays', async () => {
    await using portal = await startPortal()
    const refusing: typeof globalThis.fetch = async (input, init) =>
      String(init?.body).includes('chf') ? new Response('', { status: 500 }) : portal.fetch(input, init)
    const server = withHeldRequest({ fetch: refusing, token: portal.token }, 'PATCH')
    const { user } = await renderAt('/account', { portal: server, as: 'alice@example.com' })
    const preferences = await section('Preferences')
    const news = preferences.getByRole('checkbox', { name: /news and offers/ })
    await user.selectOptions(preferences.getByRole('combobox', { name: 'Currency' }), 'chf')
    await user.selectOptions(preferences.getByRole('combobox', { name: /^Time zone/ }), 'Europe/Paris')
    await user.click(news)
    server.release()
    await waitFor(() => expect(screen.getAllByText('Saved')).toHaveLength(2))
    expect(preferences.getByRole('alert')).toHaveTextContent('Something went wrong, please try again')
    expect(preferences.getByRole('combobox', { name: 'Currency' })).toHaveValue('eur')
    expect(preferences.getByRole('combobox', { name: /^Time zone/ })).toHaveValue('Europe/Paris')
    expect(news).toBeChecked()
  })

  test('a change can no longer be undone after its session has ended', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const preferences = await section('Preferences')
    await page.user.click(preferences.getByRole('checkbox', { name: /news and offers/ }))
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
    act(() => session.end())
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('R-8.30 a refused preference returns to its previous value', async () => {
    await using portal = await startPortal()
    const fetch: typeof globalThis.fetch = async (input, init) =>
      init?.method === 'PATCH' ? new Response('', { status: 500 }) : portal.fetch(input, init)
    const { user } = await renderAt('/account', { portal: { fetch, token: portal.token }, as: 'alice@example.com' })
    const preferences = await section('Preferences')
    await user.selectOptions(preferences.getByRole('combobox', { name: /^Language/ }), 'fr')
    await waitFor(() => expect(preferences.getByRole('alert')).toHaveTextContent('Something went wrong, please try again'))
    expect(preferences.getByRole('combobox', { name: /^Language/ })).toHaveValue('en')
  })

  test('chosen units are stored in the browser, apply at once, and can follow the region again', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const preferences = await section('Preferences')
    await page.user.click(preferences.getByRole('radio', { name: 'Miles' }))
    expect(storage.get('units')).toBe('miles')
    await page.user.click(preferences.getByRole('radio', { name: 'Automatic' }))
    expect(storage.get('units')).toBeNull()
  })

  test('the colour scheme is stored in the browser and sends no request', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const preferences = await section('Preferences')
    await page.user.click(preferences.getByRole('radio', { name: 'Dark' }))
    expect(storage.get('theme')).toBe('dark')
    expect(page.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('R-2.23 password change', () => {
  test('a new password is saved and the session continues with the new token', async () => {
    await using page = await openAs('alice@example.com', '/account')
    const before = storage.get('token')
    await change(page, DEMO_PASSWORD, 'a new long one')
    expect(await screen.findByText('Password changed')).toBeVisible()
    expect(await password(/^Current password/)).toHaveValue('')
    expect(storage.get('token')).not.toBe(before)
    expect((await signIn(page, 'a new long one')).status).toBe(200)
    await page.user.click(screen.getByRole('checkbox', { name: /news and offers/ }))
    expect(await screen.findByText('Saved')).toBeVisible()
  })

  test('R-8.2 a wrong current password shows an error and keeps the session', async () => {
    await using page = await openAs('alice@example.com', '/account')
    await change(page, 'wrong', 'a new long one')
    expect(await screen.findByText('The password you entered is incorrect.')).toBeVisible()
    expect(window.location.pathname).toBe('/account')
    expect((await signIn(page, DEMO_PASSWORD)).status).toBe(200)
  })

  test.each([401, 403])(
    'R-8.2 a response of %i to the password change is shown as a wrong password and keeps the session',
    async (status) => {
      await using portal = await startPortal()
      const server = withFaults(portal, { '/users/change_password/': respondWith(status) })
      const page = await renderAt('/account', { portal: server, as: 'alice@example.com' })
      await change({ ...page, portal } as Page, 'wrong', 'a new long one')
      expect(await screen.findByText('The password you entered is incorrect.')).toBeVisible()
      expect(storage.get('token')).not.toBeNull()
    },
  )

  test.each([
    ['R-5.2', 'seven77', 'seven77', 'The password must have at least 8 characters'],
    ['R-1.21', 'long enough', 'long enougj', 'The passwords are not the same'],
    ['R-5.1', ' ', ' ', 'Please fill in all fields'],
  ])('%s the new password %j repeated as %j is rejected without a request', async (_, to, again, sentence) => {
    await using page = await openAs('alice@example.com', '/account')
    await change(page, DEMO_PASSWORD, to, again)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(page.calls.some(({ path }) => path === '/users/change_password/')).toBe(false)
  })
})
