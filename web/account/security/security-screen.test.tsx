import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const ALICE = 'alice@example.com'
const open = () => openAs(ALICE, '/account/security', { features: [...FEATURES] })
const sessions = async () => within(await screen.findByRole('region', { name: 'Where you are signed in' }))
const names = async () => (await (await sessions()).findAllByRole('listitem')).map((row) => within(row).getAllByText(/./)[0]?.textContent)

describe('the list of sessions', () => {
  test('the list names browser, use and network of each session, and the current one has no button', async () => {
    await using _ = await open()
    const [current, phone] = await (await sessions()).findAllByRole('listitem')
    expect(current).toHaveTextContent('This browser')
    expect(within(current!).queryByRole('button')).toBeNull()
    expect(phone).toHaveTextContent(/^Safari, iOSLast used Mar 1, 2026.*203\.0\.113\.0\/24/)
  })

  test('a session is ended after a confirmation, and leaves the list', async () => {
    await using page = await open()
    await page.user.click(await (await sessions()).findByRole('button', { name: 'Sign out Safari, iOS' }))
    await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Log out' }))
    await waitFor(async () => expect(await names()).toEqual(['Unknown browser']))
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  test('signing out everywhere else leaves only the current session', async () => {
    await using page = await open()
    const other = await page.portal.token(ALICE)
    await page.user.click(await (await sessions()).findByRole('button', { name: 'Sign out everywhere else' }))
    await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Log out' }))
    await waitFor(async () => expect(await names()).toEqual(['Unknown browser']))
    const headers = { authorization: `Bearer ${other}` }
    expect((await page.portal.call(null, 'GET', '/options/', undefined, headers)).status).toBe(401)
  })
})

test('of many sessions the newest five are listed, and the others on request', async () => {
  await using portal = await startPortal()
  for (let count = 0; count < 8; count++) await portal.token(ALICE)
  const { user } = await renderAt('/account/security', { portal, as: ALICE, config: { features: [...FEATURES] } })
  expect((await names()).slice(0, 2)).toEqual(['Unknown browser', 'Unknown browser'])
  expect(await names()).toHaveLength(5)
  expect((await (await sessions()).findAllByRole('listitem'))[0]).toHaveTextContent('This browser')
  await user.click((await sessions()).getByRole('button', { name: 'Show more' }))
  expect((await names()).length).toBeGreaterThanOrEqual(10)
  expect((await names()).at(-1)).toBe('Safari, iOS')
})

describe('the security log', () => {
  test('sign-ins and refusals are listed with time and network, page by page', async () => {
    await using portal = await startPortal()
    for (const password of ['wrong', ...Array.from({ length: 51 }, () => 'Demo-1234')])
      await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password })
    const { user } = await renderAt('/account/security', { portal, as: ALICE, config: { features: [...FEATURES] } })
    const log = within(await screen.findByRole('region', { name: 'Recent activity' }))
    expect(await log.findAllByRole('listitem')).toHaveLength(50)
    await user.click(log.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(log.getAllByRole('listitem')).toHaveLength(52))
    expect(log.getAllByRole('listitem')[0]).toHaveTextContent(/^Signed in.*Mar 2, 2026.*127\.0\.0\.0\/24 · by alice@example\.com$/)
    expect(log.getAllByRole('listitem')[51]).toHaveTextContent(/^Wrong password.*127\.0\.0\.0\/24$/)
    expect(log.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  test('a rejected call is listed under the part of the portal that it belongs to', async () => {
    await using portal = await startPortal()
    const { token } = (await portal.call(ALICE, 'POST', '/users/tokens/', { label: 'Script', scopes: ['trackers:read'] })).body
    const headers = { authorization: `Bearer ${token}` }
    expect((await portal.fetch('/tracker_places/', { headers })).status).toBe(403)
    await renderAt('/account/security', { portal, as: ALICE, config: { features: [...FEATURES] } })
    const log = within(await screen.findByRole('region', { name: 'Recent activity' }))
    const [refused] = await log.findAllByRole('listitem')
    expect(within(refused!).getByText('Places')).toBeVisible()
    expect(refused).toHaveTextContent(/GET \/tracker_places\/$/)
  })
})

test('a backend without sessions, log and second factor has no security page', async () => {
  await using _ = await openAs(ALICE, '/account/security', {})
  expect(await screen.findByRole('heading', { name: '404 error' })).toBeVisible()
})

test("a copy of the user's data is requested, made, and offered for download", async () => {
  await using page = await open()
  const data = within(await screen.findByRole('region', { name: 'Your data' }))
  expect(await data.findByText(/^Ready\. You can download it until Mar 3, 2026/)).toBeVisible()
  await page.user.click(data.getByRole('button', { name: 'Request a copy' }))
  expect(await data.findByText(/^Your copy is being made/)).toBeVisible()
  expect(data.queryByRole('button')).toBeNull()
  await page.portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT1M' })
  expect(await data.findByRole('button', { name: 'Download' }, { timeout: 5000 })).toBeVisible()
})

test('the owner sets how long positions are stored, after a confirmation', async () => {
  await using page = await open()
  const card = within(await screen.findByRole('region', { name: 'Old positions' }))
  await page.user.selectOptions(await card.findByRole('combobox', { name: 'Store positions' }), '90 days')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^Positions older than 90 days are removed for good/)).toBeVisible()
  await page.user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await card.findByText(/next on Mar 3, 2026/)).toBeVisible()
  expect(card.getByRole('combobox')).toHaveValue('90')
})
