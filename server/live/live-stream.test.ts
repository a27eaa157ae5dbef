import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { teamDevices, tokens, users } from '#db/schema/accounts.ts'
import type { Viewer } from '#db/scope.ts'
import { createTestWorld, fix, NOW, OWNER, sessionOf } from '#server/tracking/test-world.ts'
import { liveStream } from './live-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

type Portal = Awaited<ReturnType<typeof createTestWorld>>

const open = (portal: Portal, viewer: Viewer = OWNER, lastEventId?: number) =>
  liveStream({ ...portal.world, viewer, session: sessionOf(viewer), ...(lastEventId !== undefined && { lastEventId }) })

const eventsIn = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)
const next = async (stream: ReturnType<typeof open>) => String((await stream.next()).value)

test('D-32 a stream begins with a comment and how soon to come back', async () => {
  using portal = await createTestWorld()
  expect(await next(open(portal))).toBe(': live\nretry: 2000\n\n')
})

test('D-32 what happens while nobody reads comes together, with ids to resume from', async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const stream = open(portal)
  await next(stream)
  await portal.say(0, 0)
  await portal.say(0, 1)
  const text = await next(stream)
  expect(eventsIn(text)).toEqual(['mode', 'position', 'position'])
  expect(text).toMatch(/^id: 1\nevent: mode\ndata: \{"device":1,.*\}\n\nid: 2\n/)
})

test('D-32 a reader that waits is woken', async () => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  const waiting = next(stream)
  await portal.say(0, 0)
  expect(eventsIn(await waiting)).toEqual(['position'])
})

test('D-32 a client that comes back gets what it missed, and nothing twice', async () => {
  using portal = await createTestWorld()
  for (const minutes of [0, 1, 2]) await portal.say(0, minutes)
  const stream = open(portal, OWNER, 1)
  await portal.say(0, 3)
  const text = await next(stream)
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([2, 3, 4])
  const waiting = next(stream)
  await portal.say(0, 4)
  expect(await waiting).toMatch(/^id: 5\n/)
})

test('D-32 about the newest thousand events are kept', async () => {
  using portal = await createTestWorld()
  const positions = Array.from({ length: 1100 }, (_, index) => index)
  for (const index of positions) await portal.say(0, 0, { positions: [fix(0, -index)] })
  const text = await next(open(portal, OWNER, 100))
  expect(eventsIn(text)).toHaveLength(1000)
})

test('D-32 a client that was away for longer is told to read anew, and hears on from there', async () => {
  using portal = await createTestWorld()
  const positions = Array.from({ length: 1100 }, (_, index) => index)
  for (const index of positions) await portal.say(0, 0, { positions: [fix(0, -index)] })
  const stream = open(portal, OWNER, 99)
  expect(await next(stream)).toMatch(/\n\nid: 1100\nevent: reset\ndata: \{\}\n\n$/)
  await portal.say(0, 1)
  expect(await next(stream)).toMatch(/^id: 1101\nevent: position\n/)
})

test.each([1, 7])('D-32 so is one that comes back with event %i to a world that begins anew', async (id) => {
  using portal = await createTestWorld()
  expect(eventsIn(await next(open(portal, OWNER, id)))).toEqual(['reset'])
})

test("R-6.9 another account's trackers are not heard, live or resumed", async () => {
  using portal = await createTestWorld()
  const stranger = open(portal, { userId: 2, accountId: 2, role: 'user' }, 0)
  await portal.say(0, 0)
  expect(eventsIn(await next(stranger))).toEqual([])
  const waiting = next(stranger)
  await portal.say(0, 1)
  vi.advanceTimersByTime(15_000)
  expect(await waiting).toBe(': heartbeat\n\n')
})

test('D-01 a member hears the trackers of the team list, support those of all', async () => {
  using portal = await createTestWorld()
  await portal.add(2)
  await portal.world.db.write(async (tx) => {
    const person = { accountId: 1, firstName: 'M', lastName: 'N', createdAt: NOW }
    await tx.insert(users).values({ ...person, id: 3, username: 'm', email: 'm@example.com', role: 'pro' })
    await tx.insert(teamDevices).values({ userId: 3, deviceId: 2 })
  })
  const member = open(portal, { userId: 3, accountId: 1, role: 'pro' })
  const support = open(portal, { userId: 9, accountId: 9, role: 'deepsupport' })
  await Promise.all([next(member), next(support)])
  await portal.say(0, 0)
  await portal.say(0, 0, { identifier: '1000000002' })
  expect(await next(member)).toContain('"device":2')
  expect(eventsIn(await next(support))).toHaveLength(2)
})

test('D-32 a heartbeat is sent every 15 seconds', async () => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  for (const _ of [1, 2]) {
    const waiting = next(stream)
    vi.advanceTimersByTime(15_000)
    expect(await waiting).toBe(': heartbeat\n\n')
  }
})

test.each([
  ['R-6.3 of a person who was removed', (portal: Portal) => portal.world.db.write((tx) => tx.delete(users).where(eq(users.id, 1)))],
  ['D-36 of a session that was ended', (portal: Portal) => portal.world.db.write((tx) => tx.delete(tokens).where(eq(tokens.userId, 1)))],
  ['D-36 of a session that is over', (portal: Portal) => portal.at(24 * 60)],
  ['D-01 of a person whose rights were changed', (portal: Portal) => portal.world.db.write((tx) => tx.update(users).set({ role: 'pro' }))],
])('the stream %s ends with the next heartbeat, and tells nothing more', async (_, end) => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  await end(portal)
  portal.world.live.publish({ id: 1, accountId: 1, deviceId: 1, type: 'status', data: '{}' })
  vi.advanceTimersByTime(15_000)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('D-32 a client that leaves while waiting leaves nothing behind', async () => {
  using portal = await createTestWorld()
  let listeners = 0
  const { listen } = portal.world.live
  portal.world.live.listen = (hear) => {
    listeners++
    const stop = listen(hear)
    return () => {
      listeners--
      stop()
    }
  }
  const stream = open(portal)
  await next(stream)
  const waiting = stream.next()
  await stream.return?.()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect([listeners, vi.getTimerCount()]).toEqual([0, 0])
})

test('D-32 a client that reads too slowly is cut off, and can resume', async () => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  const event = { accountId: 1, deviceId: 1, type: 'status', data: '{}' }
  for (let id = 1; id <= 1001; id++) portal.world.live.publish({ ...event, id })
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})
