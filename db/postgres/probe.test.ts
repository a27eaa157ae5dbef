import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainDbFault } from '#db/classify-error.ts'
import { openPostgres, type PostgresDb } from '#db/postgres/open.ts'
import { createEmptyDatabase, openTestDatabase, openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(() => db.close())

const readState = (server: Pick<PostgresDb, 'isReady'>) => server.isReady().then(String, explainDbFault)

test('a server with only busy connections and waiting requests is ready', async () => {
  const { pool } = db.connections
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const waiting = Promise.all(Array.from({ length: 60 }, () => pool.query('select 1')))
  expect(db.stats!().waiting).toBeGreaterThan(0)
  expect(await readState(db)).toBe('true')
  for (const client of taken) client.release()
  await waiting
})

test('a server is ready while a schema change has locked the tables', async () => {
  const client = await db.connections.pool.connect()
  await client.query('begin; lock table users, devices, positions in access exclusive mode')
  expect(await readState(db)).toBe('true')
  await client.query('rollback')
  client.release()
})

test('a server is not ready on a database that rejects changes, and ready again once it accepts them', async () => {
  const { url, remove } = await createEmptyDatabase()
  const name = new URL(url).pathname.slice(1)
  const own = await openPostgres(url, { max: 1 })
  const { pool } = own.connections
  await pool.query(
    'create table users (); create schema drizzle; create table drizzle.__drizzle_migrations as select generate_series(1, 1000)',
  )
  expect(await readState(own)).toBe('true')
  await pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'whereabouts ready' and datname = $1", [
    name,
  ])
  await expect.poll(() => readState(own)).toBe('The database accepts no changes: it is a standby, or may only be read.')
  await pool.query(`begin; set transaction read write; alter database ${name} reset default_transaction_read_only; commit`)
  await expect.poll(() => readState(own)).toBe('true')
  await own.close()
  await remove()
})

test('a server is not ready on a database without tables, and reports that', async () => {
  const { url, remove } = await createEmptyDatabase()
  const empty = await openPostgres(url, { max: 1 })
  expect(await readState(empty)).toBe('Tables of this release are missing in the database.')
  await empty.close()
  await remove()
})

test('a server is not ready without its database, and reports that within a second', async () => {
  const { url, remove } = await createEmptyDatabase()
  const lost = await openPostgres(url, { max: 1 })
  await remove()
  expect(await readState(lost)).toBe('The database does not exist.')
  await lost.close()
})

test('many readiness checks take one connection', async () => {
  const server = await openTestDatabaseAgain(db)
  await Promise.all(Array.from({ length: 50 }, () => server.isReady()))
  const count =
    "select count(*)::int as n from pg_stat_activity where application_name = 'whereabouts ready' and datname = current_database()"
  const before = (await db.connections.pool.query(count)).rows[0].n
  await Promise.all(Array.from({ length: 50 }, () => server.isReady()))
  expect((await db.connections.pool.query(count)).rows[0].n).toBe(before)
  await server.close()
})
