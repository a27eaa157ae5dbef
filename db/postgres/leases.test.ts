import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'
import { createLeases } from './leases.ts'
import type { PostgresDb } from './open.ts'

let dbs: PostgresDb[]
beforeAll(async () => {
  const db = await openTestDatabase('family')
  dbs = [db, await openTestDatabaseAgain(db)]
})
afterAll(async () => {
  for (const db of dbs.reverse()) await db.close()
})

test('work under one lease runs in one process at a time, and all of it runs', async () => {
  let [running, most, done] = [0, 0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    done++
  }
  await Promise.all(Array.from({ length: 16 }, (_, nth) => dbs[nth % 2]!.lease('customer', work)))
  expect([most, done]).toEqual([1, 16])
})

test('another process takes over from an owner that hangs, which then can store nothing', async () => {
  const [first, second] = dbs as [PostgresDb, PostgresDb]
  // A lease that is never renewed, as by a paused process.
  const paused = createLeases(first.connections, { seconds: 0.2, renewMs: 3_600_000 })
  const late = paused('customer', async (fence) => {
    await second.lease('customer', async () => {})
    await first.write([], fence)
  })
  await expect(late).rejects.toThrow('The lease of customer went to another process.')
})

test('a running owner keeps its lease beyond the initial time', async () => {
  const [first, second] = dbs as [PostgresDb, PostgresDb]
  const order: string[] = []
  const readEnd = async () => (await first.connections.pool.query("select until::text from leases where key = 'customer'")).rows[0].until
  // Even a busy machine renews a lease of 20 seconds in time.
  const lease = createLeases(first.connections, { seconds: 20, renewMs: 10 })
  const long = lease('customer', async (fence) => {
    const other = second.lease('customer', async () => void order.push('other'))
    await expect.poll(readEnd).not.toBe(await readEnd())
    await first.write([], fence)
    order.push('owner')
    return { other }
  })
  await (await long).other
  expect(order).toEqual(['owner', 'other'])
})
