import { describe, expect, test } from 'vitest'
import { API_TOKEN } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { readStored } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const signIn = async (portal: Portal): Promise<string> =>
  (await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: 'Demo-1234' })).body.token
const create = (portal: Portal, token: string) => portal.call(null, 'POST', '/api/v1/auth/hand_off/', undefined, bearer(token))
const codeOf = async (portal: Portal, token: string): Promise<string> => (await create(portal, token)).body.hand_off
const redeem = (portal: Portal, hand_off: string) => portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off })
const statusOf = async (portal: Portal, token: string) => (await portal.call(null, 'GET', '/users/me/', undefined, bearer(token))).status
const set = (portal: Portal, at: string) => portal.clock.set({ at: new Date(at) })

describe('a hand-off code', () => {
  test('a code creates a session of the same user, sets no cookie and is stored only as a hash', async () => {
    await using portal = await startPortal()
    const { status, body } = await create(portal, await signIn(portal))
    expect([status, body]).toEqual([201, { hand_off: expect.stringMatching(/^hand_[0-9a-f]{40}$/), until: '2026-03-02T09:05:00Z' }])
    expect(await readStored(portal.world.db)).not.toContain(body.hand_off)
    const redeemed = await redeem(portal, body.hand_off)
    expect(redeemed).toMatchObject({ status: 200, body: { user: { email: ALICE }, token: expect.stringMatching(/^[0-9a-f]{40}$/) } })
    expect(redeemed.headers['set-cookie']).toBeUndefined()
    expect(await statusOf(portal, redeemed.body.token)).toBe(200)
  })

  test('a code works once; both uses are in the security log', async () => {
    await using portal = await startPortal()
    const code = await codeOf(portal, await signIn(portal))
    const answers = await Promise.all([redeem(portal, code), redeem(portal, code), redeem(portal, code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
    const { body } = await portal.call(ALICE, 'GET', '/users/security_log/')
    expect(body.entries.slice(0, 3).map(({ kind }: { kind: string }) => kind)).toEqual(['hand_off_refused', 'hand_off', 'sign_in'])
  })

  test('a code expires after five minutes, with a newer one of its session, and with the session', async () => {
    await using portal = await startPortal()
    const token = await signIn(portal)
    const [old, late] = [await codeOf(portal, token), await codeOf(portal, token)]
    expect((await redeem(portal, old)).status).toBe(410)
    set(portal, '2026-03-02T09:05:00Z')
    expect((await redeem(portal, late)).status).toBe(410)
    const last = await codeOf(portal, token)
    await portal.call(null, 'DELETE', '/api/v1/auth/web_get_token/', undefined, bearer(token))
    expect(await redeem(portal, last)).toMatchObject({ status: 410, body: { code: 'expired' } })
  })

  test('the new session inherits the sign-in time of the first one, and ends with it', async () => {
    await using portal = await startPortal()
    const token = await signIn(portal)
    set(portal, '2026-03-02T09:11:00Z')
    const { body } = await redeem(portal, await codeOf(portal, token))
    const sensitive = { label: 'Dashboard', scopes: ['trackers:read'] }
    expect((await portal.call(null, 'POST', '/users/tokens/', sensitive, bearer(body.token))).body.code).toBe('sign_in_again')
    // The session is used every week, so that only the limit of thirty days applies.
    for (const day of ['09', '16', '23', '30']) {
      set(portal, `2026-03-${day}T09:00:00Z`)
      expect([await statusOf(portal, token), await statusOf(portal, body.token)]).toEqual([200, 200])
    }
    set(portal, '2026-04-01T09:00:00Z')
    expect([await statusOf(portal, token), await statusOf(portal, body.token)]).toEqual([401, 401])
  })

  test('a new password ends the sessions that codes have opened', async () => {
    await using portal = await startPortal()
    const token = await signIn(portal)
    const { body } = await redeem(portal, await codeOf(portal, token))
    const change = { old_password: 'Demo-1234', new_password: 'A-new-one-22' }
    await portal.call(null, 'POST', '/users/change_password/', change, bearer(token))
    expect(await statusOf(portal, body.token)).toBe(401)
  })

  test('an API token gets no code, and a session at most sixty in an hour', async () => {
    await using portal = await startPortal()
    expect((await create(portal, API_TOKEN)).status).toBe(403)
    const token = await signIn(portal)
    for (let n = 0; n < 60; n++) expect((await create(portal, token)).status).toBe(201)
    const refused = await create(portal, token)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
  })
})
