import { afterAll, describe, expect, test } from 'vitest'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Column = { table: string; column: string; type: string }

const portal = await startPortal()
afterAll(() => portal[Symbol.asyncDispose]())
const { rawRead } = portal.world.db
const columns = rawRead
  .prepare(
    `select tables.name as "table", columns.name as "column", columns.type from sqlite_schema as tables, pragma_table_info(tables.name) as columns
     where tables.type = 'table'`,
  )
  .all() as Column[]
const count = (sql: string, ...values: string[]) =>
  rawRead
    .prepare(sql)
    .pluck()
    .get(...values) as number
const where = (matches: (column: Column) => number) =>
  columns.flatMap((column) => (matches(column) > 0 ? [`${column.table}.${column.column}`] : []))

/** Columns with an id that is missing from the table it refers to. */
const orphans = (name: string, owners: string) =>
  where(({ table, column }) =>
    column === name ? count(`select count(*) from "${table}" where ${name} is not null and ${name} not in (select id from ${owners})`) : 0,
  )

const mentions = (text: string) =>
  where(({ table, column, type }) =>
    type.toLowerCase() === 'text' ? count(`select count(*) from "${table}" where instr("${column}", ?) > 0`, text) : 0,
  )

const leavers = PERSONAS.filter(({ role }) => role !== 'admin' && role !== 'deepsupport')

describe('R-7.22 erasing every user who may be erased', () => {
  test('R-7.22 every user is present in the tables before being erased', () => {
    for (const { email } of leavers) expect(mentions(email)).toEqual(expect.arrayContaining(['users.email', 'users.username']))
    expect([orphans('account_id', 'accounts'), orphans('user_id', 'users'), orphans('device_id', 'devices')]).toEqual([[], [], []])
  })

  test('R-7.22 erasing a user leaves no row of them in any table but the invoices that the law asks for', async () => {
    const rows = leavers
    expect(
      await collectFailures(
        rows,
        ({ key }) => key,
        async ({ email, firstName, lastName }) => {
          await portal.call(null, 'POST', '/users/password_reset/', { email })
          expect(await portal.call(email, 'DELETE', '/users/me/?profile=all')).toMatchObject({ status: 200, body: { deleted: true } })
          expect(mentions(email).filter((column) => column !== 'archived_invoices.billed_to')).toEqual([])
          expect(count('select count(*) from users where first_name = ? and last_name = ?', firstName, lastName)).toBe(0)
          expect(orphans('account_id', 'accounts')).toEqual([])
          expect(orphans('user_id', 'users')).toEqual([])
          expect(orphans('device_id', 'devices')).toEqual([])
          expect(rawRead.pragma('foreign_key_check')).toEqual([])
        },
      ),
    ).toEqual([])
  })

  test('R-7.22 erasing all users leaves the pro account with six trackers that can still report', async () => {
    expect((await portal.call('admin@pro.example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(6)
    const message = { identifier: '20000000-01', positions: [] }
    expect((await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })).status).toBe(201)
  })

  test('R-7.22 trackers of erased users are gone from every list and can no longer report', async () => {
    expect((await portal.call('support@example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(6)
    const message = { identifier: '10000000-01', positions: [] }
    const response = await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    expect(response).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
  })

  test('R-7.22 every tracker of an erased user is free to add once, with its numbers', () => {
    expect(count('select count(*) from factory_devices')).toBe(10 + 29)
    expect(count("select count(*) from factory_devices where identifier like '10000000%'")).toBe(18)
  })
})
