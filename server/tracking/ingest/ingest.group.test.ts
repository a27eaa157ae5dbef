import { setImmediate as turn } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
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

test('where the positions are on several database servers, each transaction writes to one of them', async () => {
  using portal = await withTrackers(6)
  const { db } = portal.world
  const asked: (readonly number[])[] = []
  const written: number[][] = []
  db.findWorkers = async (ids) => {
    asked.push(ids)
    return new Map(ids.map((id) => [id, `worker${id % 2}`]))
  }
  const { write } = db
  db.write = (lock, work) => {
    written.push([])
    return write(lock, work)
  }
  const { positions } = portal.world
  const world: typeof portal.world = {
    ...portal.world,
    positions: {
      ...positions,
      addAll(tx, batches) {
        written.at(-1)!.push(...batches.map(({ deviceId }) => deviceId))
        return positions.addAll(tx, batches)
      },
    },
  }
  const send = (metres: number) => Promise.all([1, 2, 3, 4, 5, 6].map((id) => ingest(world, message(id, metres))))
  expect(await send(0)).toEqual(Array.from({ length: 6 }, () => ({ accepted: 1, ignored: 0 })))
  expect(written).toEqual([
    [1, 3, 5],
    [2, 4, 6],
  ])
  await send(5)
  expect(asked).toEqual([[1, 2, 3, 4, 5, 6]])
})

test('messages fail while the cluster cannot name the server of their positions, and the next ones are accepted', async () => {
  using portal = await createTestWorld()
  portal.world.db.findWorkers = () => Promise.reject(new Error('no worker answers'))
  await expect(ingest(portal.world, message(1))).rejects.toThrow('no worker answers')
  portal.world.db.findWorkers = async (ids) => new Map(ids.map((id) => [id, 'worker1']))
  expect(await ingest(portal.world, message(1))).toEqual({ accepted: 1, ignored: 0 })
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
      async addAll(...args: Parameters<typeof positions.addAll>) {
        if (args[1].some(({ deviceId }) => deviceId === 2)) throw new Error('the disk is on fire')
        return positions.addAll(...args)
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

/** Lets transactions begin only when they are released. Returns how many have begun. */
function holdTransactions({ world }: Awaited<ReturnType<typeof createTestWorld>>) {
  const write = world.db.write
  const begun: (() => void)[] = []
  world.db.write = async (lock, work) => {
    await new Promise<void>((resolve) => void begun.push(resolve))
    return write(lock, work)
  }
  return begun
}

test('messages that arrive while a transaction runs share the next one', async () => {
  using portal = await withTrackers(20)
  const begun = holdTransactions(portal)
  const first = ingest(portal.world, message(1))
  await expect.poll(() => begun.length).toBe(1)
  const others: Promise<unknown>[] = []
  for (let id = 2; id <= 20; id++) {
    others.push(ingest(portal.world, message(id)))
    await turn()
  }
  expect(begun).toHaveLength(1)
  begun[0]!()
  await first
  await expect.poll(() => begun.length).toBe(2)
  begun[1]!()
  await Promise.all(others)
  expect(begun).toHaveLength(2)
})

test('a database server processes a second group once eight messages wait, and never a third; SQLite processes one', async () => {
  for (const [isShared, most] of [
    [true, 2],
    [false, 1],
  ] as const) {
    using portal = await createTestWorld()
    portal.world.db.isShared = isShared
    const ids = Array.from({ length: 19 }, (_, index) => index + 2)
    await portal.world.db.write('everything', (tx) => tx.insert(accounts).values(ids.slice(1).map((id) => ({ id }))))
    for (const id of ids) await portal.add(id, { accountId: id })
    const begun = holdTransactions(portal)
    const sent: Promise<unknown>[] = []
    const send = async (count: number) => {
      while (count-- > 0) sent.push(ingest(portal.world, message(sent.length + 1)))
      for (let turns = 0; turns < 5; turns++) await turn()
    }
    await send(1)
    await expect.poll(() => begun.length).toBe(1)
    await send(7)
    expect(begun).toHaveLength(1)
    await send(1)
    await expect.poll(() => begun.length).toBe(most)
    await send(11)
    expect(begun).toHaveLength(most)
    for (const begin of begun) begin()
    await expect.poll(() => begun.length).toBe(most + 1)
    begun.at(-1)!()
    await Promise.all(sent)
    expect(begun).toHaveLength(most + 1)
  }
})

test('a message goes to the tracker that has its number now, also after the number was given to another', async () => {
  using portal = await withTrackers(3)
  await ingest(portal.world, message(1))
  await portal.world.db.write('everything', async (tx) => {
    await tx.update(devices).set({ identifier: null }).where(eq(devices.id, 1))
    await tx.update(devices).set({ identifier: '1000000001' }).where(eq(devices.id, 3))
  })
  const [, receipt] = await Promise.all([ingest(portal.world, message(2)), ingest(portal.world, message(1))])
  expect(receipt).toEqual({ accepted: 1, ignored: 0 })
  expect(await portal.world.positions.count(3, 0, 2 ** 31)).toBe(1)
  await portal.world.db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, 3)))
  await expect(ingest(portal.world, message(1))).rejects.toMatchObject({ code: 'unknown_tracker' })
})

test('all numbers in a message must be those of one tracker, and a malformed one is that of none', async () => {
  using portal = await withTrackers(2)
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ identifier: null }).where(eq(devices.id, 2)))
  const numbers = [{ identifier: '1000000001', serial: 'SERIAL000002' }, { identifier: '?', serial: 'SERIAL000002' }, {}]
  for (const each of numbers)
    await expect(ingest(portal.world, { positions: [], ...each } as never)).rejects.toMatchObject({ code: 'unknown_tracker' })
  await expect(ingest(portal.world, message(1), 2)).rejects.toMatchObject({ code: 'unknown_tracker' })
  expect(await ingest(portal.world, { positions: [fix(0, 0)], serial: 'SERIAL000002' }, 2)).toMatchObject({ accepted: 1 })
})

test('an alert of one message lies between the events of those before and after it, whose changes it sees', async () => {
  using portal = await createTestWorld({ lowBattery: 20, battery: 50 })
  await portal.add(2)
  await Promise.all([
    ingest(portal.world, message(2)),
    ingest(portal.world, { ...message(1), battery: 10 }),
    ingest(portal.world, message(2, 100)),
  ])
  expect(portal.heard.map(({ deviceId, type }) => `${deviceId} ${type}`)).toEqual(['2 position', '1 alert', '1 position', '2 status'])
  const ids = portal.heard.map(({ id }) => id)
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
})
