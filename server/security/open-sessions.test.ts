import { describe, expect, test } from 'vitest'
import type { OpenSession } from '#contracts/accounts/security.ts'
import { tokens } from '#db/schema/accounts.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ZOE] = ['alice@example.com', 'zoe@example.com']
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0'
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function signIn(portal: Portal, email: string, headers: Record<string, string> = {}) {
  const answer = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: email, password: 'Demo-1234' }, headers)
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]!)
  return { token: String(answer.body.token), cookies, browser: cookies.find((pair) => pair.startsWith('browserid='))! }
}
const list = async (portal: Portal, token: string): Promise<OpenSession[]> =>
  (await portal.call(null, 'GET', '/users/sessions/', undefined, bearer(token))).body
const read = async (portal: Portal, token: string) => (await portal.call(null, 'GET', '/users/me/', undefined, bearer(token))).status
const signOut = (portal: Portal, headers: Record<string, string>) =>
  portal.call(null, 'DELETE', '/api/v1/auth/web_get_token/', undefined, headers)

describe('signing out', () => {
  test('signing out ends the session on the server, and no other one', async () => {
    await using portal = await startPortal()
    const [mine, other] = [await portal.token(ALICE), await portal.token(ALICE)]
    expect((await signOut(portal, bearer(mine))).status).toBe(200)
    expect([await read(portal, mine), await read(portal, other)]).toEqual([401, 200])
    expect((await signOut(portal, bearer(mine))).status).toBe(401)
  })

  test("signing out expires the session's cookies and clears the cache but not the storage of the browser", async () => {
    await using portal = await startPortal()
    const { token, cookies } = await signIn(portal, ALICE)
    const { headers } = await signOut(portal, bearer(token))
    expect(headers['clear-site-data']).toBe('"cache"')
    expect(headers['set-cookie']).toEqual(
      ['sessionid', 'csrftoken'].map((name) => expect.stringMatching(`^${name}=; .*Path=/; Expires=Thu, 01 Jan 1970`)),
    )
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { cookie: cookies.join('; ') })).status).toBe(401)
  })

  test('a session that is signed out by its cookie needs the CSRF header', async () => {
    await using portal = await startPortal()
    const { cookies } = await signIn(portal, ALICE)
    const csrf = cookies.find((pair) => pair.startsWith('csrftoken='))!.split('=')[1]!
    expect((await signOut(portal, { cookie: cookies.join('; ') })).status).toBe(403)
    expect((await signOut(portal, { cookie: cookies.join('; '), 'x-csrftoken': csrf })).status).toBe(200)
  })
})

describe('the list of sessions', () => {
  test('the list shows browser, network and last use of each session, and marks the current one', async () => {
    await using portal = await startPortal()
    const { token } = await signIn(portal, ALICE, { 'user-agent': FIREFOX })
    expect(await list(portal, token)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        created_at: '2026-03-02T09:00:00Z',
        last_seen_at: '2026-03-02T09:00:00Z',
        agent: 'Firefox, Windows',
        place: '127.0.0.0/24',
        current: true,
      },
      {
        id: expect.any(String),
        created_at: '2026-02-27T09:00:00Z',
        last_seen_at: '2026-03-01T13:00:00Z',
        agent: 'Safari, iOS',
        place: '203.0.113.0/24',
        current: false,
      },
    ])
  })

  test('the use of a session is recorded at most once in ten minutes', async () => {
    await using portal = await startPortal()
    const token = await portal.token(ZOE)
    const seen = async (instant: string) => {
      portal.clock.set({ at: new Date(instant) })
      await read(portal, token)
      return (await list(portal, token))[0]?.last_seen_at
    }
    expect(await seen('2026-03-02T09:09:59Z')).toBe('2026-03-02T09:00:00Z')
    expect(await seen('2026-03-02T09:10:00Z')).toBe('2026-03-02T09:10:00Z')
  })

  test('a session that was not used for two weeks is rejected with 401, not listed and deleted', async () => {
    await using portal = await startPortal()
    const idle = await portal.token(ZOE)
    portal.clock.set({ at: new Date('2026-03-16T09:00:00Z') })
    expect(await read(portal, idle)).toBe(401)
    expect(await list(portal, await portal.token(ZOE))).toHaveLength(1)
  })

  test('one session is ended by its id, which another user cannot do', async () => {
    await using portal = await startPortal()
    const [mine, stolen] = [await portal.token(ZOE), await portal.token(ZOE)]
    const [other] = (await list(portal, mine)).filter(({ current }) => !current)
    const end = (email: string) => portal.call(email, 'DELETE', `/users/sessions/${other!.id}/`)
    expect(await end(ALICE)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await read(portal, stolen)).toBe(200)
    expect((await end(ZOE)).status).toBe(200)
    expect([await read(portal, stolen), await read(portal, mine), (await end(ZOE)).status]).toEqual([401, 200, 404])
  })

  test('signing out everywhere else ends all sessions of the user except the current one', async () => {
    await using portal = await startPortal()
    const [mine, other, ofZoe] = [await portal.token(ALICE), await portal.token(ALICE), await portal.token(ZOE)]
    expect((await portal.call(null, 'DELETE', '/users/sessions/', undefined, bearer(mine))).status).toBe(200)
    expect([await read(portal, mine), await read(portal, other), await read(portal, ofZoe)]).toEqual([200, 401, 200])
    expect(await portal.world.db.read.$count(tokens)).toBe(2)
  })
})

describe('sign-ins from a new browser', () => {
  const notices = (portal: Portal) => mailsTo(portal.world, ZOE, 'new_sign_in')

  test('the first sign-in of an account is not mailed, one from another browser is', async () => {
    await using portal = await startPortal()
    await signIn(portal, ZOE, { 'user-agent': FIREFOX })
    expect(await notices(portal)).toEqual([])
    await signIn(portal, ZOE, { 'user-agent': SAFARI })
    expect(await notices(portal)).toMatchObject([
      { data: { agent: 'Safari, iOS', place: '127.0.0.0/24', datetime: '2026-03-02T09:00:00Z' } },
    ])
  })

  test('a browser recognised by its cookie, or by its type and network, is not mailed again', async () => {
    await using portal = await startPortal()
    const { browser } = await signIn(portal, ZOE, { 'user-agent': FIREFOX })
    expect((await signIn(portal, ZOE, { 'user-agent': SAFARI, cookie: browser })).browser).toBe(browser)
    await signIn(portal, ZOE, { 'user-agent': SAFARI })
    expect(await notices(portal)).toEqual([])
  })

  test('a made-up browser cookie does not make a browser known', async () => {
    await using portal = await startPortal()
    await signIn(portal, ZOE, { 'user-agent': FIREFOX })
    await signIn(portal, ZOE, { 'user-agent': SAFARI, cookie: `browserid=${'0'.repeat(40)}` })
    expect(await notices(portal)).toHaveLength(1)
  })
})
