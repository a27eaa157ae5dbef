import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { teamDevices, tokens, users } from '#db/schema/accounts.ts'
import type { SignedIn, Viewer } from '#db/scope.ts'
import { createTestWorld, fix, NOW, OWNER, sessionHash } from '#server/tracking/test-world.ts'
import { appendLiveEvent } from './live-log.store.ts'
import { createLiveStream } from './live-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

type Portal = Awaited<ReturnType<typeof createTestWorld>>

const open = (portal: Portal, viewer: Viewer = OWNER, lastEventId?: number) =>
  createLiveStream({ ...portal.world, viewer, session: sessionHash(viewer), ...(lastEventId !== undefined && { lastEventId }) })

const eventsIn = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)
const next = async (stream: ReturnType<typeof open>) => String((await stream.next()).value)

test('a stream starts with a comment and the reconnection time', async () => {
  using portal = await createTestWorld()
  expect(await next(open(portal))).toBe(': live\nretry: 2000\n\n')
})

test('queued events are sent together, with ids to resume from', async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const stream = open(portal)
  await next(stream)
  await portal.say(0, 0)
  await portal.say(0, 1)
  const text = await next(stream)
  expect(eventsIn(text)).toEqual(['mode', 'position', 'position'])
  expect(text).toMatch(/^id: 1\nevent: mode\ndata: \{"device":1,.*\}\n\nid: 2\n/)
})

test('a waiting reader is woken by an event', async () => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  const waiting = next(stream)
  await portal.say(0, 0)
  expect(eventsIn(await waiting)).toEqual(['position'])
})

const append = (portal: Portal, count: number) =>
  portal.world.db.write('everything', async (tx) => {
    const event = { device: { id: 1, accountId: 1 }, type: 'status', body: {} as never, at: NOW } as const
    for (let n = 0; n < count; n++) await appendLiveEvent(tx, event)
  })

test('a reconnecting client receives what it missed, and nothing twice', async () => {
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

test('about the newest thousand events are stored', async () => {
  using portal = await createTestWorld()
  const positions = Array.from({ length: 1100 }, (_, index) => index)
  for (const index of positions) await portal.say(0, 0, { positions: [fix(0, -index)] })
  const text = await next(open(portal, OWNER, 100))
  expect(eventsIn(text)).toHaveLength(1000)
})

test.each([1, 7])('a client that returns with event %i to a new world is told to reload', async (id) => {
  using portal = await createTestWorld()
  expect(eventsIn(await next(open(portal, OWNER, id)))).toEqual(['reset'])
})

test('R-6.9 events about trackers of other accounts are not sent, live or resumed', async () => {
  using portal = await createTestWorld()
  const stranger = open(portal, { userId: 2, accountId: 2, role: 'user' }, 0)
  await portal.say(0, 0)
  expect(eventsIn(await next(stranger))).toEqual([])
  const waiting = next(stranger)
  await portal.say(0, 1)
  vi.advanceTimersByTime(15_000)
  expect(await waiting).toBe(': heartbeat\n\n')
})

test('a team member gets events about the trackers of the team list, support about all', async () => {
  using portal = await createTestWorld()
  await portal.add(2)
  await portal.world.db.write('everything', async (tx) => {
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

test('a team member gets an alert about two trackers only if both are in the team list, live or resumed', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await portal.add(2)
  await db.write('everything', async (tx) => {
    const person = { accountId: 1, firstName: 'M', lastName: 'N', createdAt: NOW }
    await tx.insert(users).values({ ...person, id: 3, username: 'm', email: 'm@example.com', role: 'pro' })
    await tx.insert(teamDevices).values({ userId: 3, deviceId: 1 })
  })
  const viewer = { userId: 3, accountId: 1, role: 'pro' as const }
  const member = open(portal, viewer)
  await next(member)
  const body = { type: 'apart' as const, place: null, other: 2, datetime: '2026-03-02T09:00:00Z' }
  const appendPair = () =>
    db.write('everything', (tx) => appendLiveEvent(tx, { device: { id: 1, accountId: 1 }, type: 'alert', body, at: NOW }))
  await appendPair()
  await append(portal, 1)
  expect(eventsIn(await next(member))).toEqual(['status'])
  expect(eventsIn(await next(open(portal, viewer, 0)))).toEqual(['status'])
  await db.write('everything', (tx) => tx.insert(teamDevices).values({ userId: 3, deviceId: 2 }))
  await appendPair()
  expect(eventsIn(await next(member))).toEqual(['alert'])
  expect(eventsIn(await next(open(portal, viewer, 0)))).toEqual(['alert', 'status', 'alert'])
})

test.each([
  [['positions:read'], ['position']],
  [
    ['positions:read', 'trackers:read'],
    ['mode', 'position'],
  ],
  [
    ['positions:read', 'alerts:read'],
    ['alert', 'position'],
  ],
] as const)('an API token with %j gets only the events of its scopes, live or resumed: %j', async (scopes, types) => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const viewer: SignedIn = { ...OWNER, email: 'o@example.com', lastSeenAt: NOW, scopes: [...scopes], isProgram: true }
  const open = (lastEventId?: number) =>
    createLiveStream({ ...portal.world, viewer, session: sessionHash(OWNER), ...(lastEventId !== undefined && { lastEventId }) })
  const live = open()
  await next(live)
  await portal.world.db.write('everything', (tx) =>
    appendLiveEvent(tx, {
      device: { id: 1, accountId: 1 },
      type: 'alert',
      body: { type: 'place_enter', place: null, datetime: '2026-03-02T09:00:00Z' },
      at: NOW,
    }),
  )
  await portal.say(0, 0)
  expect(eventsIn(await next(live)).sort()).toEqual(types)
  expect(eventsIn(await next(open(0))).sort()).toEqual(types)
})

test('the stream of support ends after an hour, so that opening it again is recorded again', async () => {
  using portal = await createTestWorld()
  const viewer: SignedIn = { userId: 9, accountId: 9, role: 'deepsupport', email: 's@example.com', lastSeenAt: NOW }
  const stream = createLiveStream({ ...portal.world, viewer, session: sessionHash(OWNER) })
  await next(stream)
  portal.at(60)
  vi.advanceTimersByTime(15_000)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a heartbeat is sent every 15 seconds', async () => {
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
  ['of a deleted user', (portal: Portal) => portal.world.db.write('everything', (tx) => tx.delete(users).where(eq(users.id, 1)))],
  ['of a deleted session', (portal: Portal) => portal.world.db.write('everything', (tx) => tx.delete(tokens).where(eq(tokens.userId, 1)))],
  ['of an expired session', (portal: Portal) => portal.at(24 * 60)],
  [
    'of a user whose role was changed',
    (portal: Portal) => portal.world.db.write('everything', (tx) => tx.update(users).set({ role: 'pro' })),
  ],
])('R-6.3 the stream %s ends at the next heartbeat without sending anything more', async (_, end) => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  await end(portal)
  await append(portal, 1)
  vi.advanceTimersByTime(15_000)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a client that disconnects while waiting leaves no listener behind', async () => {
  using portal = await createTestWorld()
  let listeners = 0
  const { subscribe: listen } = portal.world.live
  portal.world.live.subscribe = (hear) => {
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

test('a client that reads too slowly is disconnected and can resume', async () => {
  using portal = await createTestWorld()
  const stream = open(portal)
  await next(stream)
  await append(portal, 1001)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})
