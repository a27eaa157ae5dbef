import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, openTestDatabase, openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'
import { migrate, openPostgres, type PostgresDb } from './open.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(() => db.close())

const query = async (statement: string) => (await db.connections.pool.query(statement)).rows

test('the daily maintenance adds the partitions of later months, also when two processes run it at once', async () => {
  const find = () => query("select to_regclass('positions_2027_06') as name")
  expect(await find()).toEqual([{ name: null }])
  const later = new Date('2027-03-31T23:00:00Z')
  await Promise.all([db.maintain!(later), db.maintain!(later)])
  expect(await find()).toEqual([{ name: 'positions_2027_06' }])
})

/** Reads a table in a transaction until released, like a backup. */
async function readForLong({ connections: { pool } }: PostgresDb, table: string) {
  const client = await pool.connect()
  await client.query(`begin; set local idle_in_transaction_session_timeout = 0; lock table ${table} in access share mode`)
  return async () => {
    await client.query('commit')
    client.release()
  }
}

test('maintenance behind a long query gives up after some seconds, so that messages do not wait for the end of a backup', async () => {
  const later = new Date('2027-06-30T23:00:00Z')
  const release = await readForLong(db, 'positions')
  await expect(db.maintain!(later)).rejects.toThrow('lock timeout')
  expect(await db.positions.count(1, 0, 1)).toBe(0)
  await release()
  await db.maintain!(later)
  expect(await query("select to_regclass('positions_2027_09') as name")).toEqual([{ name: 'positions_2027_09' }])
})

/** A copy of the migrations with an additional one, as in the next release. */
function addMigration(statement: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-migrations-'))
  cpSync('db/postgres/migrations', folder, { recursive: true })
  const file = path.join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const idx = journal.entries.length
  journal.entries.push({ idx, version: '7', when: journal.entries.at(-1).when + 1, tag: 'next', breakpoints: true })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(path.join(folder, 'next.sql'), statement)
  return folder
}

test('a migration behind a long query lets other queries pass after some seconds, and retries', async () => {
  const { url, remove } = await createEmptyDatabase()
  const old = await openPostgres(url, { max: 3 })
  const { pool } = old.connections
  const now = new Date('2026-03-02T09:00:00Z')
  await migrate(old, now)
  const folder = addMigration('alter table downlinks add column next bigint')
  const release = await readForLong(old, 'downlinks')
  const migrated = migrate(old, now, folder)
  const awaited = "select 1 from pg_locks where not granted and relation = 'downlinks'::regclass"
  const isAwaited = async () => (await pool.query(awaited)).rowCount === 1
  await expect.poll(isAwaited).toBe(true)
  await expect.poll(isAwaited).toBe(false)
  expect((await pool.query('select * from downlinks')).rows).toEqual([])
  await release()
  await migrated
  await pool.query('select next from downlinks')
  await old.close()
  await remove()
  rmSync(folder, { recursive: true })
})

/** The migrations of the release that had `count` migrations. */
function releaseWith(count: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-migrations-'))
  cpSync('db/postgres/migrations', folder, { recursive: true })
  const file = path.join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
  return folder
}

test('after the list of the factory has become stock, servers of the release before still find, add and return trackers', async () => {
  const { url, remove } = await createEmptyDatabase()
  const old = await openPostgres(url, { max: 3 })
  const { pool } = old.connections
  const now = new Date('2026-03-02T09:00:00Z')
  const folder = releaseWith(14)
  await migrate(old, now, folder)
  await pool.query(`
    insert into accounts (id, is_pro) values (3, false);
    insert into factory_devices (identifier, serial, type, board_name) values ('9000000001', 'FACTORY00001', 'tracker_06', 'T6');
    insert into devices (id, account_id, type, board_name, name, kind, identifier, serial, created_at, mode, sub_state)
      values (1, 3, 'tracker_01', 'T1', 'A', 'dog', '1000000001', 'AAAA00000001', 1000, 1, 'active')`)
  await migrate(old, now)
  const known = async () => (await pool.query('select identifier from stock_items order by 1')).rows.map(({ identifier }) => identifier)
  expect((await pool.query('select * from included_months_used')).rows).toEqual([{ key: '1000000001', at: 1000 }])
  const bySerial = await pool.query("select identifier from factory_devices where serial = 'FACTORY00001'")
  expect(bySerial.rows).toEqual([{ identifier: '9000000001' }])
  await pool.query("delete from factory_devices where identifier = '9000000001'")
  const returned = "('9000000001', 'FACTORY00001', 'tracker_06', 'T6'), ('9000000002', 'FACTORY00002', 'tracker_06', 'T6')"
  await pool.query(`insert into factory_devices (identifier, serial, type, board_name) values ${returned} on conflict do nothing`)
  expect(await known()).toEqual(['1000000001', '9000000001', '9000000002'])
  const claimed = async () => (await pool.query('select identifier from stock_items where is_claimed order by 1')).rows
  expect(await claimed()).toEqual([{ identifier: '1000000001' }])
  await pool.query("update devices set identifier = '9000000002'")
  expect(await claimed()).toEqual([{ identifier: '9000000002' }])
  await old.close()
  await remove()
  rmSync(folder, { recursive: true })
})

test('a database is not ready while a migration is missing, and ready when a newer release has migrated it', async () => {
  expect(await db.isReady()).toBe(true)
  await query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  expect(await db.isReady()).toBe(true)
  await query('delete from drizzle.__drizzle_migrations')
  expect(await db.isReady()).toBe(false)
})

test('the age of the last notice counts from when any server sent it', async () => {
  const server = await openTestDatabaseAgain(db)
  expect(server.stats!().noticeAge).toBeNull()
  await new Promise<unknown>((resolve) => {
    server.log!.listen(resolve, () => void db.log!.send(['x']))
  })
  expect(server.stats!().noticeAge).toBeLessThan(30)
  await server.close()
})

test('connections and transactions are counted', async () => {
  const before = db.transactions.committed
  await db.write([], async () => {
    expect(db.stats!().total).toBeGreaterThan(db.stats!().idle)
  })
  const { idle, waiting } = db.stats!()
  expect([db.transactions.committed, waiting]).toEqual([before + 1, 0])
  expect(idle).toBeGreaterThan(0)
})
