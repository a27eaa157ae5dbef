import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { noResponse, respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

type View = Pick<Awaited<ReturnType<typeof renderAt>>, 'user' | 'calls'>
const TOKEN = '/api/v1/auth/web_get_token/'
const WRONG = 'The password you entered is incorrect.'
const password = () => screen.findByLabelText(/^Password/, { selector: 'input' })
const tick = () => screen.getByRole('checkbox', { name: /I understand/ })
const button = () => screen.getByRole('button', { name: 'Delete my account' })
const changes = ({ calls }: View) => calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

async function ask({ user }: View, secret = DEMO_PASSWORD) {
  await user.type(await password(), secret)
  await user.click(tick())
  await user.click(button())
}

async function openOver(faults: Parameters<typeof withFaults>[1]) {
  const portal = await startPortal()
  return { portal, page: await renderAt('/account_delete', { portal: withFaults(portal, faults), as: 'zoe@example.com' }) }
}

test('R-5.10 R-5.7 the delete button is enabled by the password and the consent, both marked with *', async () => {
  await using page = await openAs('zoe@example.com', '/account_delete')
  for (const field of [await password(), tick()]) expect((field as HTMLInputElement).labels?.[0]?.textContent).toMatch(/\*$/)
  expect(button()).toBeDisabled()
  await page.user.type(await password(), 'x')
  expect(button()).toBeDisabled()
  await page.user.click(tick())
  expect(button()).toBeEnabled()
  await page.user.clear(await password())
  expect(button()).toBeDisabled()
  expect(changes(page)).toEqual([])
})

test('the page says that invoices stay for ten years, but not to a member of a team, who has none', async () => {
  await using page = await openAs('zoe@example.com', '/account_delete')
  expect(await screen.findByText(/^Your invoices stay with us for 10 years/)).toBeVisible()
  cleanup()
  await renderAt('/account_delete', { portal: page.portal, as: 'member@pro.example.com' })
  await password()
  expect(screen.queryByText(/^Your invoices stay/)).toBeNull()
})

test('R-1.22 R-2.17 the correct password deletes all data with the new token and ends the session', async () => {
  await using page = await openAs('zoe@example.com', '/account_delete')
  const before = storage.get('token')
  await ask(page)
  expect(await screen.findByText('Your data has been deleted')).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/login')
  expect(storage.get('token')).toBeNull()
  expect(changes(page)).toEqual([`POST ${TOKEN}`, 'DELETE /users/me/?profile=all'])
  const used = page.calls.find(({ method }) => method === 'DELETE')?.headers.get('authorization')
  expect(used).toMatch(/^Bearer \w{40}$/)
  expect(used).not.toBe(`Bearer ${before}`)
  const again = await page.portal.call(null, 'POST', TOKEN, { username: 'zoe@example.com', password: DEMO_PASSWORD })
  expect(again.status).toBe(401)
})

test('the login page mentions deleted data only after a deletion', async () => {
  await renderAt('/login')
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(screen.queryByText('Your data has been deleted')).toBeNull()
})

describe('R-5.11 R-5.12 responses other than 200 to the password check', () => {
  test('a wrong password deletes nothing', async () => {
    await using page = await openAs('zoe@example.com', '/account_delete')
    const before = storage.get('token')
    await ask(page, 'wrong')
    expect(await screen.findByText(WRONG)).toBeVisible()
    expect(window.location.pathname).toBe('/account_delete')
    expect(storage.get('token')).toBe(before)
    expect(changes(page)).toEqual([`POST ${TOKEN}`])
  })

  test('a response other than 200 deletes nothing even if it contains a token', async () => {
    const body = JSON.stringify({ token: 'f'.repeat(40), user: {} })
    const failures = await collectFailures([201, 204, 400, 401, 403, 500], String, async (status) => {
      cleanup()
      localStorage.clear()
      const { portal, page } = await openOver({ [TOKEN]: () => new Response(status === 204 ? null : body, { status }) })
      await using _ = portal
      await ask(page)
      expect(await screen.findByText(WRONG)).toBeVisible()
      expect(window.location.pathname).toBe('/account_delete')
      expect(changes(page)).toEqual([`POST ${TOKEN}`])
      expect(button()).toBeEnabled()
    })
    expect(failures).toEqual([])
  })

  test('a 200 response without a token deletes nothing', async () => {
    const { portal, page } = await openOver({ [TOKEN]: respondWith(200, '<html>') })
    await using _ = portal
    await ask(page)
    expect(await screen.findByText(WRONG)).toBeVisible()
    expect(changes(page)).toEqual([`POST ${TOKEN}`])
  })

  test('too many attempts are reported as such', async () => {
    const { portal, page } = await openOver({ [TOKEN]: respondWith(429) })
    await using _ = portal
    await ask(page)
    expect(await screen.findByText(/Too many attempts/)).toBeVisible()
  })

  test('R-5.12 a request without a response leads to /error and deletes nothing', async () => {
    const { portal, page } = await openOver({ [TOKEN]: noResponse })
    await using _ = portal
    await ask(page)
    expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(changes(page)).toEqual([`POST ${TOKEN}`])
  })
})

describe('pro accounts', () => {
  test.each(['admin@pro.example.com', 'support@example.com'])('%s is referred to support and sees no form', async (email) => {
    await using page = await openAs(email, '/account_delete')
    expect(await screen.findByText(/cannot be deleted here\. Please contact support/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', 'mailto:support@example.com')
    expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull()
    expect(changes(page)).toEqual([])
  })

  test('a user whom the server refuses as a pro account is referred to support and stays signed in', async () => {
    await using portal = await startPortal()
    const fetch: typeof globalThis.fetch = async (input, init) =>
      init?.method === 'DELETE' ? Response.json({ detail: 'No.', code: 'pro_account' }, { status: 409 }) : portal.fetch(input, init)
    const page = await renderAt('/account_delete', { portal: { fetch, token: portal.token }, as: 'zoe@example.com' })
    await ask(page)
    expect(await screen.findByText(/cannot be deleted here/)).toBeVisible()
    expect(storage.get('token')).not.toBeNull()
  })

  test('a team member can delete their own access', async () => {
    await using page = await openAs('member@pro.example.com', '/account_delete')
    expect(await screen.findByText(/The trackers stay with your team/)).toBeVisible()
    await ask(page)
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
  })
})

test('R-8.30 a failed deletion shows an error and keeps the session', async () => {
  const { portal, page } = await openOver({ '/users/me/?profile=all': respondWith(500) })
  await using _ = portal
  await ask(page)
  expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
  expect(storage.get('token')).not.toBeNull()
})
