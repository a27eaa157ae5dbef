import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'
import type { PostgresDb } from './open.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(() => db.close())

const query = async (statement: string) => (await db.connections.pool.query(statement)).rows

test('the daily upkeep adds the partitions of later months, also when two processes do it at once', async () => {
  const find = () => query("select to_regclass('positions_2027_06') as name")
  expect(await find()).toEqual([{ name: null }])
  const later = new Date('2027-03-31T23:00:00Z')
  await Promise.all([db.maintain!(later), db.maintain!(later)])
  expect(await find()).toEqual([{ name: 'positions_2027_06' }])
})

test('a database is not ready while a migration is missing, and ready when a newer release has migrated it', async () => {
  expect(await db.isReady()).toBe(true)
  await query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  expect(await db.isReady()).toBe(true)
  await query('delete from drizzle.__drizzle_migrations')
  expect(await db.isReady()).toBe(false)
})

test('the age of the last notice is counted from when any server sent it', async () => {
  const server = await openTestDatabaseAgain(db)
  expect(server.stats!().noticeAge).toBeNull()
  await new Promise<unknown>((resolve) => {
    server.log!.listen(resolve, () => void db.log!.send(['x']))
  })
  expect(server.stats!().noticeAge).toBeLessThan(30)
  await server.close()
})

test('connections and transactions are counted', async () => {
  const before = db.stats!()
  await db.write([], async () => {
    expect(db.stats!().total).toBeGreaterThan(db.stats!().idle)
  })
  const { transactions, idle, waiting } = db.stats!()
  expect([transactions, waiting]).toEqual([before.transactions + 1, 0])
  expect(idle).toBeGreaterThan(0)
})
