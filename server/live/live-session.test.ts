import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function listen(portal: Portal, token: string) {
  const answer = await portal.app.inject({ url: '/devices/live/', headers: bearer(token), payloadAsStream: true })
  const chunks = answer.stream()[Symbol.asyncIterator]()
  await chunks.next()
  return chunks
}

/** The text of each stream at its next heartbeat; null for an ended one. */
async function beat(...streams: AsyncIterator<unknown>[]) {
  const told = streams.map((stream) => stream.next())
  vi.advanceTimersByTime(15_000)
  return (await Promise.all(told)).map(({ done, value }) => (done ? null : String(value)))
}

const ALIVE = ': heartbeat\n\n'

test("a new password ends all streams of the user's earlier sessions, and no one else's", async () => {
  await using portal = await startPortal()
  const [mine, other] = [await portal.token(ALICE), await portal.token(ALICE)]
  const streams = [
    await listen(portal, mine),
    await listen(portal, other),
    await listen(portal, await portal.token('haruka@example.com')),
  ] as const
  expect(await beat(...streams)).toEqual([ALIVE, ALIVE, ALIVE])
  const passwords = { old_password: 'Demo-1234', new_password: 'Other-5678' }
  const { body } = await portal.call(null, 'POST', '/users/change_password/', passwords, bearer(mine))
  const renewed = await listen(portal, body.token)
  expect(await beat(...streams, renewed)).toEqual([null, null, ALIVE, ALIVE])
})

test('signing out ends the streams of that session at once', async () => {
  await using portal = await startPortal()
  const [mine, other] = [await portal.token(ALICE), await portal.token(ALICE)]
  const [ended, open] = [await listen(portal, mine), await listen(portal, other)]
  const next = ended.next()
  expect((await portal.call(null, 'DELETE', '/api/v1/auth/web_get_token/', undefined, bearer(mine))).status).toBe(200)
  expect((await next).done).toBe(true)
  expect(await beat(open)).toEqual([ALIVE])
})

test('a stream ends when its session has been idle for 14 days', async () => {
  await using portal = await startPortal()
  const stream = await listen(portal, await portal.token(ALICE))
  portal.clock.set({ at: new Date('2026-03-16T08:59:59Z') })
  expect(await beat(stream)).toEqual([ALIVE])
  portal.clock.set({ at: new Date('2026-03-16T09:00:00Z') })
  expect(await beat(stream)).toEqual([null])
})

test('R-7.22 the stream of an erased account ends, even when a new account gets its id at once', async () => {
  await using portal = await startPortal()
  const register = (email: string) =>
    portal.call(null, 'POST', '/users/register', { email, password: 'Fresh-123', first_name: 'Nina', last_name: 'Novak' })
  await register('nina@example.org')
  const stream = await listen(portal, await portal.token('nina@example.org'))
  await portal.call('nina@example.org', 'DELETE', '/users/me/?profile=all')
  await register('otto@example.org')
  expect(await beat(stream)).toEqual([null])
})

test('an eleventh stream of one session is refused with 429 until one of the ten ends', async () => {
  await using portal = await startPortal()
  const token = await portal.token(ALICE)
  const streams = []
  for (let n = 0; n < 10; n++) streams.push(await listen(portal, token))
  const eleventh = () => portal.call(null, 'GET', '/devices/live/', undefined, bearer(token))
  expect(await eleventh()).toMatchObject({ status: 429, body: { code: 'throttled' }, headers: { 'retry-after': '30' } })
  await streams[0]!.return?.()
  await listen(portal, token)
  await listen(portal, await portal.token(ALICE))
})
