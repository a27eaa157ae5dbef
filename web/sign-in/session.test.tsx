import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD, PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Person = Awaited<ReturnType<typeof renderAt>>['user']
const here = () => window.location.pathname + window.location.search
const username = () => screen.findByRole('textbox', { name: /E-mail or username/ })
const password = (name = /^Password/) => screen.findByLabelText(name, { selector: 'input' })
const enter = async (user: Person, name: string, secret: string) => {
  await user.type(await username(), name)
  await user.type(await password(), `${secret}{Enter}`)
}
const me = async (portal: Portal) => {
  const answer = await portal.fetch('/users/me/', { headers: { authorization: `Bearer ${storage.get('token')}` } })
  return answer.json()
}

test('R-2.5 every demo user except support can sign in', async () => {
  const users = PERSONAS.filter(({ role }) => role !== 'deepsupport')
  expect(users.length).toBeGreaterThan(5)
  const failures = await collectFailures(
    users,
    ({ email, role }) => `${email} (${role})`,
    async ({ email }) => {
      localStorage.clear()
      cleanup()
      await using portal = await startPortal()
      const { user } = await renderAt('/login?next=%2Fnope', { portal })
      await enter(user, email, DEMO_PASSWORD)
      await waitFor(() => expect(here()).toBe('/nope'))
      expect(localStorage.getItem('token')).toMatch(/^\w{20,}$/)
    },
  )
  expect(failures).toEqual([])
})

describe('R-2.5 credentials', () => {
  test('the e-mail is case-insensitive, the password is not', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login?next=%2Fnope', { portal })
    await enter(user, 'ALICE@Example.com', DEMO_PASSWORD.toLowerCase())
    expect(await screen.findByText('Incorrect username or password')).toBeVisible()
    await user.type(await password(), `{Control>}a{/Control}${DEMO_PASSWORD}{Enter}`)
    await waitFor(() => expect(here()).toBe('/nope'))
  })

  test('an unknown user and a wrong password get the same message', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login', { portal })
    await enter(user, 'nobody@example.com', DEMO_PASSWORD)
    expect(await screen.findByText('Incorrect username or password')).toBeVisible()
    expect(storage.get('token')).toBeNull()
  })

  test('the error disappears after a successful sign-in', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login?next=%2Flogin%3Fagain', { portal })
    await enter(user, 'alice@example.com', 'wrong')
    await screen.findByText('Incorrect username or password')
    await user.clear(await password())
    await user.type(await password(), `${DEMO_PASSWORD}{Enter}`)
    await waitFor(() => expect(screen.queryByText('Incorrect username or password')).toBeNull())
    await waitFor(() => expect(storage.get('token')).not.toBeNull())
  })

  test('after too many wrong passwords the correct one is delayed too', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login', { portal })
    const attempt = () => portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'alice@example.com', password: 'wrong' })
    for (let status = 0, tries = 0; status !== 429 && tries < 50; tries++) ({ status } = await attempt())
    await enter(user, 'alice@example.com', DEMO_PASSWORD)
    expect(await screen.findByText(/Too many attempts/)).toBeVisible()
    expect(storage.get('token')).toBeNull()
  })
})

describe('signing in over another session', () => {
  test('a stale token is not sent with the sign-in and is replaced by the new one', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt('/login?next=%2Fnope', { portal, token: 'stale' })
    await enter(user, 'alice@example.com', DEMO_PASSWORD)
    await waitFor(() => expect(here()).toBe('/nope'))
    expect(calls[0]?.headers.has('authorization')).toBe(false)
    expect(storage.get('token')).not.toBe('stale')
  })

  test('signing in as another user replaces the session', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt('/login?next=%2Fnope', { portal, as: 'alice@example.com' })
    await enter(user, 'bruno@example.com', DEMO_PASSWORD)
    await waitFor(() => expect(here()).toBe('/nope'))
    expect(await me(portal)).toMatchObject({ email: 'bruno@example.com' })
  })

  test.each(['/login', '/signup'])('R-2.5 %s stays open for a signed-in user and links to the portal', async (path) => {
    await using portal = await startPortal()
    const { user } = await renderAt(path, { portal, as: 'alice@example.com' })
    expect(await screen.findByText('You are already signed in.')).toBeVisible()
    expect([here(), await password()]).toEqual([path, expect.anything()])
    await user.click(screen.getByRole('link', { name: 'Go to the start page' }))
    expect(await screen.findByRole('heading', { name: /^Trackers/ })).toBeVisible()
  })

  test('R-4.31 the back button after signing in does not return to the form', async () => {
    await using portal = await startPortal()
    const before = window.history.length
    const { user } = await renderAt('/login?next=%2Fnope', { portal })
    await enter(user, 'alice@example.com', DEMO_PASSWORD)
    await waitFor(() => expect(here()).toBe('/nope'))
    expect(window.history.length).toBe(before)
  })
})

describe('R-2.7 resetting a forgotten password', () => {
  const FRESH = 'a new long password'

  test('the link of the e-mail opens the page, and the new password works', async () => {
    await using portal = await startPortal()
    const asking = await renderAt('/login?view=reset_password', { portal })
    await asking.user.type(await screen.findByRole('textbox', { name: /E-mail/ }), ' alice@example.com ')
    await asking.user.click(screen.getByRole('button', { name: 'Send link' }))
    await screen.findByRole('heading', { name: 'Check your e-mail' })
    asking.unmount()
    const { body } = await portal.call(null, 'GET', '/mock/mail?to=alice@example.com', undefined, { host: 'localhost' })
    const mail = await portal.call(null, 'GET', `/mock/mail/${body[0].id}/`, undefined, { host: 'localhost' })
    const link = new URL(mail.body.links[0])
    expect(link.pathname + link.search).toMatch(/^\/login\?view=reset_password&key=[\da-f]{40}$/)

    const choosing = await renderAt(link.pathname + link.search, { portal })
    await choosing.user.type(await password(/^New password/), `${FRESH}{Enter}`)
    await screen.findByRole('heading', { name: 'Password changed' })
    await choosing.user.click(screen.getByRole('link', { name: 'Back to sign in' }))
    await enter(choosing.user, 'alice@example.com', FRESH)
    await waitFor(() => expect(here()).toBe('/'))
  })

  test('a seeded reset link works once', async () => {
    await using portal = await startPortal()
    const path = `/login?view=reset_password&key=${SEED_KEYS.resetValid}`
    const first = await renderAt(path, { portal })
    await first.user.type(await password(/^New password/), `${FRESH}{Enter}`)
    expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeVisible()
    first.unmount()
    const second = await renderAt(path, { portal })
    await second.user.type(await password(/^New password/), `${FRESH}{Enter}`)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('For your safety, the link works once'))
  })

  test('R-8.12 an expired link offers a new one, which asks for the e-mail', async () => {
    await using portal = await startPortal()
    const { user } = await renderAt(`/login?view=reset_password&key=${SEED_KEYS.resetExpired}`, { portal })
    await user.type(await password(/^New password/), `${FRESH}{Enter}`)
    expect(await screen.findByRole('heading', { name: 'Oops, your link has expired!' })).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Send a new link' }))
    expect(await screen.findByRole('button', { name: 'Send link' })).toBeVisible()
  })

  test('neither step sends the session', async () => {
    await using portal = await startPortal()
    const { user, calls } = await renderAt('/login?view=reset_password', { portal, as: 'bruno@example.com' })
    await user.type(await screen.findByRole('textbox', { name: /E-mail/ }), 'alice@example.com{Enter}')
    await screen.findByRole('heading', { name: 'Check your e-mail' })
    expect(calls.map(({ headers }) => headers.has('authorization'))).toEqual([false])
  })
})

describe('signed-out visitor', () => {
  test('the login page loads nothing but the configuration', async () => {
    await using portal = await startPortal()
    const { calls } = await renderAt('/login', { portal })
    await username()
    expect(calls).toEqual([])
    expect(screen.queryByText('You are already signed in.')).toBeNull()
  })

  test('R-5.7 fields are required for screen readers, and not marked with * where all are', async () => {
    await renderAt('/login')
    for (const field of [await username(), await password()]) {
      expect(field).toBeRequired()
      expect(document.querySelector(`label[for="${field.id}"]`)?.textContent).not.toContain('*')
    }
    expect(screen.queryByText('Fields marked * are mandatory')).toBeNull()
  })

  test("the fields are recognised by the browser's password manager", async () => {
    await renderAt('/login')
    expect(await username()).toHaveAttribute('autocomplete', 'username')
    expect(await password()).toHaveAttribute('autocomplete', 'current-password')
  })
})
