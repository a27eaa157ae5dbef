import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, BRUNO] = ['alice@example.com', 'bruno@example.com']
const rex = () => screen.findAllByRole('link', { name: /Rex/ })
const question = () => screen.findByRole('heading', { level: 1, name: 'Switch accounts?' })

/** The tokens of requests for trackers. */
const trackerTokens = (calls: { path: string; headers: Headers }[]) =>
  new Set(calls.filter(({ path }) => path.startsWith('/devices/')).map(({ headers }) => headers.get('authorization')))

describe('R-2.55 a token in the address while a session is open', () => {
  test('a token of another user asks for a choice; staying continues with the open session', async () => {
    await using portal = await startPortal()
    const [mine, other] = [await portal.token(ALICE), await portal.token(BRUNO)]
    const { user, calls } = await renderAt(`/trackers?token=${other}`, { portal, token: mine })
    expect(await question()).toBeVisible()
    expect(screen.getByText(/You are signed in as alice@example.com. The link you opened signs you in as bruno@example.com/)).toBeVisible()
    expect([window.location.search, storage.get('token'), trackerTokens(calls)]).toEqual(['', mine, new Set()])
    await user.click(screen.getByRole('button', { name: 'Stay as alice@example.com' }))
    await rex()
    expect([storage.get('token'), trackerTokens(calls)]).toEqual([mine, new Set([`Bearer ${mine}`])])
  })

  test("switching clears the former user's data and continues with the new session", async () => {
    await using portal = await startPortal()
    const other = await portal.token(BRUNO)
    const { user, calls } = await renderAt(`/trackers?token=${other}`, { portal, as: ALICE })
    sessionStorage.setItem('draft', 'x')
    await question()
    await user.click(screen.getByRole('button', { name: 'Switch to bruno@example.com' }))
    await waitFor(() => expect(trackerTokens(calls)).toEqual(new Set([`Bearer ${other}`])))
    expect([storage.get('token'), sessionStorage.getItem('draft')]).toEqual([other, null])
  })

  test('a new token of the same user replaces the old one without asking', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: 'Demo-1234' })
    const { calls } = await renderAt(`/trackers?token=${body.token}`, { portal, as: ALICE })
    await rex()
    expect([storage.get('token'), trackerTokens(calls)]).toEqual([body.token, new Set([`Bearer ${body.token}`])])
  })

  test('a token replaces an expired session without asking', async () => {
    await using portal = await startPortal()
    const other = await portal.token(ALICE)
    await renderAt(`/trackers?token=${other}`, { portal, token: '0'.repeat(40) })
    await rex()
    expect(storage.get('token')).toBe(other)
  })

  test('an invalid token changes nothing', async () => {
    await using portal = await startPortal()
    const mine = await portal.token(ALICE)
    await renderAt(`/trackers?token=${'0'.repeat(40)}`, { portal, token: mine })
    await rex()
    expect(storage.get('token')).toBe(mine)
  })

  test('the public demo switches personas without asking', async () => {
    await using portal = await startPortal()
    const other = await portal.token(BRUNO)
    const demo = { password: 'Demo-1234', accounts: [ALICE, BRUNO], mayReplace: true }
    await renderAt(`/trackers?token=${other}`, { portal, as: ALICE, config: { demo } })
    await waitFor(() => expect(storage.get('token')).toBe(other))
  })
})

describe('a hand-off code in the address', () => {
  const codeOf = async (portal: Portal, email: string): Promise<string> =>
    (await portal.call(email, 'POST', '/api/v1/auth/hand_off/')).body.hand_off
  const openWith = (portal: Portal, code: string, options: { as?: string; token?: string; config?: object } = {}) =>
    renderAt(`/trackers?hand_off=${code}`, { portal, config: { features: FEATURES }, ...options })

  test('a code creates a session and leaves the address', async () => {
    await using portal = await startPortal()
    const code = await codeOf(portal, ALICE)
    const { calls } = await openWith(portal, code)
    await rex()
    expect([window.location.search, storage.get('token')]).toEqual(['', expect.stringMatching(/^[0-9a-f]{40}$/)])
    expect(calls.map(({ path }) => path).join()).not.toContain(code)
  })

  test('a used code leads to the sign-in page, and does not change an open session', async () => {
    await using portal = await startPortal()
    const code = await codeOf(portal, ALICE)
    await portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off: code })
    await openWith(portal, code)
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(storage.get('token')).toBeNull()
    cleanup()
    const mine = await portal.token(BRUNO)
    await openWith(portal, code, { token: mine })
    await waitFor(() => expect(storage.get('token')).toBe(mine))
  })

  test('a code of another user asks for a choice; staying ends the session that the code has opened', async () => {
    await using portal = await startPortal()
    const mine = await portal.token(ALICE)
    const code = await codeOf(portal, BRUNO)
    const { user, calls } = await openWith(portal, code, { token: mine })
    await question()
    await user.click(screen.getByRole('button', { name: 'Stay as alice@example.com' }))
    await rex()
    const { authorization } = Object.fromEntries(calls.find(({ method }) => method === 'DELETE')!.headers)
    await waitFor(async () =>
      expect((await portal.call(null, 'GET', '/options/', undefined, { authorization: authorization! })).status).toBe(401),
    )
    expect([storage.get('token'), authorization]).toEqual([mine, expect.not.stringContaining(mine)])
  })

  test('a backend without codes is not sent one', async () => {
    await using portal = await startPortal()
    const { calls } = await openWith(portal, await codeOf(portal, ALICE), { config: { features: ['signOut'] } })
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })
})
