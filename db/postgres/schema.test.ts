import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTables } from '#db/open/copy-from-sqlite.ts'
import { connect } from '#db/sqlite/driver.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import type { PostgresDb } from './open.ts'

let db: PostgresDb
const sqlite = connect(templateFile(), { readonly: true })
beforeAll(async () => {
  db = await openTestDatabase('family')
})
afterAll(async () => {
  await db.close()
  sqlite.close()
})

type Row = Record<string, string | number>
const rowsOf = async (statement: string) => (await db.connections.pool.query<Row>(statement)).rows

test('both engines have the same tables with the same columns and the same nullability', async () => {
  const columns = await rowsOf(
    `select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'public' order by 1, 2`,
  )
  const ofPostgres: Record<string, string[]> = {}
  for (const { table_name, column_name, is_nullable } of columns)
    ofPostgres[String(table_name)] = [...(ofPostgres[String(table_name)] ?? []), `${column_name} ${is_nullable === 'YES'}`]
  for (const { name } of listTables()) {
    const info = sqlite.pragma(`table_info(${name})`) as { name: string; notnull: number; pk: number }[]
    const ofSqlite = info.map((column) => `${column.name} ${column.notnull === 0 && column.pk === 0}`).sort()
    expect([name, ofPostgres[name]?.sort()]).toEqual([name, ofSqlite])
  }
})

test('both engines have the same unique keys and indexes, except those of positions and the live log', async () => {
  const rows = await rowsOf(
    `select t.relname as table, i.relname as index, x.indisunique as "isUnique" from pg_index x
     join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = 'public' and not x.indisprimary and t.relkind = 'r' and t.relname not like 'positions%'
       and i.relname <> 'live_events_by_account'`,
  )
  const ofPostgres = rows.map(({ table, index, isUnique }) => `${table} ${index} ${isUnique}`).sort()
  const ofSqlite = listTables()
    .flatMap(({ name }) =>
      (sqlite.pragma(`index_list(${name})`) as { name: string; unique: number; origin: string }[])
        .filter(({ origin }) => origin === 'c')
        .map((index) => `${name} ${index.name} ${index.unique === 1}`),
    )
    .sort()
  expect(ofSqlite.length).toBeGreaterThan(50)
  expect(ofPostgres).toEqual(ofSqlite)
})

test('the seeded rows are the same on both engines', async () => {
  for (const { name } of listTables()) {
    const [row] = await rowsOf(`select count(*) as n from "${name}"`)
    expect([name, row?.n]).toEqual([name, sqlite.prepare(`select count(*) from "${name}"`).pluck().get()])
  }
})

test('a new row gets an id after those that were copied', async () => {
  const [row] = await rowsOf('insert into accounts default values returning id')
  expect(row?.id).toBeGreaterThan(Number(sqlite.prepare('select max(id) from accounts').pluck().get()))
})
