import { afterAll, describe, expect, test } from 'vitest'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { findOrphans, listColumns, queryValue } from '#server/test/test-database.ts'

const portal = await startPortal()
afterAll(() => portal[Symbol.asyncDispose]())
const { db } = portal.world
const columns = await listColumns(db)
const count = (sql: string) => queryValue(db, `select count(*) from ${sql}`)

/** The columns that contain matching rows. */
async function where(matches: (column: (typeof columns)[number]) => Promise<unknown>) {
  const counts = await Promise.all(columns.map(matches))
  return columns.flatMap(({ table, column }, index) => (counts[index] ? [`${table}.${column}`] : []))
}

/** Columns with an id that is missing from the referenced table. */
const orphans = (name: string, owners: string) =>
  where(async ({ table, column }) =>
    column === name ? count(`"${table}" where ${name} is not null and ${name} not in (select id from ${owners})`) : 0,
  )

const mentions = (text: string) =>
  where(async ({ table, column, type }) =>
    ['text', 'json'].includes(type.toLowerCase()) ? count(`"${table}" where cast("${column}" as text) like '%${text}%'`) : 0,
  )

const OWNERS = [
  ['account_id', 'accounts'],
  ['user_id', 'users'],
  ['device_id', 'devices'],
] as const
const leavers = PERSONAS.filter(({ role }) => role !== 'admin' && role !== 'deepsupport')

describe('R-7.22 erasing every user who may be erased', () => {
  test('R-7.22 every user is present in the tables before being erased', async () => {
    for (const { email } of leavers) expect(await mentions(email)).toEqual(expect.arrayContaining(['users.email', 'users.username']))
    for (const [name, owners] of OWNERS) expect(await orphans(name, owners)).toEqual([])
  })

  test('R-7.22 erasing a user leaves no row of them in any table except the invoices that the law requires', async () => {
    const rows = leavers
    expect(
      await collectFailures(
        rows,
        ({ key }) => key,
        async ({ email, firstName, lastName }) => {
          await portal.call(null, 'POST', '/users/password_reset/', { email })
          expect(await portal.call(email, 'DELETE', '/users/me/?profile=all')).toMatchObject({ status: 200, body: { deleted: true } })
          expect((await mentions(email)).filter((column) => column !== 'archived_invoices.billed_to')).toEqual([])
          expect(await count(`users where first_name = '${firstName}' and last_name = '${lastName}'`)).toBe(0)
          for (const [name, owners] of OWNERS) expect(await orphans(name, owners)).toEqual([])
          expect(findOrphans(db)).toEqual([])
        },
      ),
    ).toEqual([])
  })

  test('R-7.22 erasing all users leaves the pro account with six trackers that can still report', async () => {
    expect((await portal.call('admin@pro.example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(6)
    const message = { identifier: '20000000-01', positions: [] }
    expect((await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })).status).toBe(201)
  })

  test('R-7.22 trackers of erased users are in no list any more and can no longer report', async () => {
    expect((await portal.call('support@example.com', 'GET', '/devices/?type=tracker')).body).toHaveLength(6)
    const message = { identifier: '10000000-01', positions: [] }
    const response = await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
    expect(response).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
  })

  test('R-7.22 every tracker of an erased user stays in stock, so that it can be added again', async () => {
    expect(await count('stock_items')).toBe(10 + 29 + 6)
    expect(await count('devices')).toBe(6)
  })
})
