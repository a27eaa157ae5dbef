import { expect, test } from 'vitest'
import { createTestWorld, fix, NOW } from '#server/tracking/test-world.ts'
import { ingest } from './ingest.ts'

const message = (id: number, metres = 0) => ({ identifier: String(1_000_000_000 + id), positions: [fix(metres, 0)] })

async function withTrackers(count: number) {
  const portal = await createTestWorld()
  for (let id = 2; id <= count; id++) await portal.add(id)
  return portal
}

test('messages of one tick share a transaction and each gets its receipt', async () => {
  using portal = await withTrackers(50)
  let commits = 0
  const write = portal.world.db.write
  portal.world.db.write = (lock, work) => {
    commits++
    return write(lock, work)
  }
  const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => ingest(portal.world, message(index + 1))))
  expect(commits).toBe(1)
  expect(responses).toEqual(Array.from({ length: 50 }, () => ({ accepted: 1, ignored: 0 })))
  expect(portal.heard.filter((event) => event.type === 'position')).toHaveLength(50)
})

test('500 simultaneous messages are all stored and published in order', async () => {
  using portal = await createTestWorld()
  const messages = Array.from({ length: 500 }, (_, index) => ({ identifier: '1000000001', positions: [fix(index, index / 60 - 10)] }))
  await Promise.all(messages.map((each) => ingest(portal.world, each)))
  expect(await portal.world.positions.count(1, 0, 2 ** 31)).toBe(500)
  const ids = portal.heard.map((event) => event.id)
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
})

test("two messages of one tracker in one tick see each other's effect", async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const responses = await Promise.all([ingest(portal.world, message(1)), ingest(portal.world, message(1))])
  expect(responses).toEqual([
    { accepted: 1, ignored: 0 },
    { accepted: 0, ignored: 1 },
  ])
  expect(portal.heard.filter((event) => event.type === 'mode')).toHaveLength(1)
})

test('a refused message does not abort the transaction of its group', async () => {
  using portal = await withTrackers(3)
  let commits = 0
  const write = portal.world.db.write
  portal.world.db.write = (lock, work) => {
    commits++
    return write(lock, work)
  }
  const responses = await Promise.allSettled(
    [1, 2, 3].map((id) => ingest(portal.world, { ...message(id), ...(id === 2 && { battery: 101 }) })),
  )
  expect([responses.map(({ status }) => status), commits]).toEqual([['fulfilled', 'rejected', 'fulfilled'], 1])
})

test('an unknown tracker in a group is rejected alone', async () => {
  using portal = await withTrackers(2)
  const [first, unknown, second] = await Promise.allSettled([1, 77, 2].map((id) => ingest(portal.world, message(id))))
  expect([first?.status, unknown?.status, second?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(unknown).toMatchObject({ reason: { code: 'unknown_tracker' } })
})

test('a message that aborts its transaction does not fail the others of its group, whose events are published once', async () => {
  using portal = await withTrackers(3)
  const { positions } = portal.world
  const broken = {
    ...portal.world,
    positions: {
      ...positions,
      async add(...args: Parameters<typeof positions.add>) {
        if (args[1] === 2) throw new Error('the disk is on fire')
        return positions.add(...args)
      },
    },
  }
  const responses = await Promise.allSettled([1, 2, 3].map((id) => ingest(broken, message(id))))
  expect(responses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await portal.device(2)).toMatchObject({ lastMessageAt: null, positionAt: null })
  expect(await portal.device(3)).toMatchObject({ lastMessageAt: NOW, positionAt: NOW })
  // The rolled-back transaction of all three had already written the events of the first.
  expect(portal.heard.map(({ deviceId, type }) => [deviceId, type])).toEqual([
    [1, 'position'],
    [3, 'position'],
  ])
})

test('each message uses the clock of its own world', async () => {
  using portal = await withTrackers(2)
  const past = new Date(NOW.getTime() - 3_600_000)
  await Promise.all([
    ingest({ ...portal.world, clock: { now: () => past } }, { ...message(1), positions: [] }),
    ingest(portal.world, message(2)),
  ])
  expect((await portal.device(1)).lastMessageAt).toEqual(past)
  expect((await portal.device(2)).lastMessageAt).toEqual(NOW)
})
