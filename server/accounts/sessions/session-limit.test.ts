import { expect, test } from 'vitest'
import { tokens } from '#db/schema/accounts.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ZOE] = ['alice@example.com', 'zoe@example.com']
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const read = async (portal: Portal, token: string) => (await portal.call(null, 'GET', '/users/me/', undefined, bearer(token))).status
const listen = (portal: Portal, token: string) =>
  portal.app.inject({ url: '/devices/live/', headers: bearer(token), payloadAsStream: true })

test("a sign-in beyond a hundred sessions ends the user's least recently used session, with its live stream", async () => {
  await using portal = await startPortal()
  const [first, second] = [await portal.token(ZOE), await portal.token(ZOE)]
  const ofAlice = await portal.token(ALICE)
  const stream = (await listen(portal, second)).stream()[Symbol.asyncIterator]()
  await stream.next()
  portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
  expect(await read(portal, first)).toBe(200)
  for (let nth = 0; nth < 99; nth++) await portal.token(ZOE)
  expect([await read(portal, first), await read(portal, second), await read(portal, ofAlice)]).toEqual([200, 401, 200])
  expect((await stream.next()).done).toBe(true)
  expect(await portal.world.db.read.$count(tokens)).toBeGreaterThanOrEqual(101)
})

test('a session opened by a hand-off code counts like one of a sign-in', async () => {
  await using portal = await startPortal()
  const first = await portal.token(ZOE)
  portal.clock.set({ at: new Date('2026-03-02T09:01:00Z') })
  for (let nth = 0; nth < 99; nth++) await portal.token(ZOE)
  portal.clock.set({ at: new Date('2026-03-02T09:02:00Z') })
  const maker = await portal.token(ZOE)
  expect(await read(portal, first)).toBe(401)
  const { hand_off } = (await portal.call(null, 'POST', '/api/v1/auth/hand_off/', undefined, bearer(maker))).body
  const { status } = await portal.call(null, 'POST', '/api/v1/auth/hand_off/redeem/', { hand_off })
  expect(status).toBe(200)
  expect((await portal.call(null, 'GET', '/users/sessions/', undefined, bearer(maker))).body).toHaveLength(100)
})

test('while the clock of a world is frozen, no sign-in ends a session of the same moment', async () => {
  await using portal = await startPortal()
  const sessions = await Promise.all(Array.from({ length: 120 }, () => portal.token(ZOE)))
  expect(new Set(await Promise.all(sessions.map((token) => read(portal, token))))).toEqual(new Set([200]))
})

test('an account has at most two hundred live streams over all sessions, and another account has its own', async () => {
  await using portal = await startPortal({ app: { rateLimits: false } })
  const sessions = await Promise.all(Array.from({ length: 21 }, () => portal.token(ALICE)))
  for (const token of sessions.slice(0, 20)) for (let nth = 0; nth < 10; nth++) expect((await listen(portal, token)).statusCode).toBe(200)
  const refused = await portal.call(null, 'GET', '/devices/live/', undefined, bearer(sessions[20]!))
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' }, body: { code: 'throttled' } })
  expect((await listen(portal, await portal.token(ZOE))).statusCode).toBe(200)
})
