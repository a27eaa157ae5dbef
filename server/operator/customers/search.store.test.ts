import { expect, test } from 'vitest'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { Db } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { readEngine } from '#db/schema/engine.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openTestDb, queryRows } from '#server/test/test-database.ts'
import { describeAccounts, listAccounts, listQueries, searchAccounts } from './search.store.ts'

type Query = { toSQL(): { sql: string; params: unknown[] } }

/** The query with its parameters inside, as both engines can explain it. */
function writeOut(query: Query) {
  const { sql, params } = query.toSQL()
  const literal = (at: number) => (typeof params[at] === 'number' ? String(params[at]) : `'${String(params[at])}'`)
  let used = 0
  return sql.replace(/\$(\d+)|\?/g, (_, number?: string) => literal(number === undefined ? used++ : Number(number) - 1))
}

const isPostgres = readEngine() === 'postgres'

/** The indexes that the engine reads, and whether it reads a whole table. PostgreSQL reads small tables whole unless told not to. */
async function explain(db: Db, query: Query) {
  if (isPostgres) await queryRows(db, 'set enable_seqscan = off')
  const rows = await queryRows(db, `${isPostgres ? 'explain' : 'explain query plan'} ${writeOut(query)}`)
  return rows.map((row) => Object.values(row).at(-1)).join('\n')
}

const SEARCHES: [text: string, indexes: RegExp[]][] = [
  ['alice@exa', [/users_email_unique|sqlite_autoindex_users_\d/]],
  ['Lindqvist', [/users_by_last_name/, /users_by_first_name/]],
  ['Alice Fer', [/users_by_last_name/, /users_by_first_name/]],
  ['1234 5678', [/devices_identifier_unique|sqlite_autoindex_devices_\d/]],
  ['ABCD 1234 EFGH', [/devices_serial_unique|sqlite_autoindex_devices_\d/]],
  ['INV-1001', [/invoices_number_unique|sqlite_autoindex_invoices_\d/]],
  ['ORD-1001', [/orders_pkey|sqlite_autoindex_orders_\d/]],
]

test('each search reads an index and no whole table', async () => {
  const db = await openTestDb('family')
  for (const [text, indexes] of SEARCHES) {
    const plans: string[] = []
    for (const { query } of listQueries(db.read, text, 50)) plans.push(await explain(db, query))
    expect(plans.filter((plan) => /SCAN|Seq Scan/.test(plan))).toEqual([])
    for (const index of indexes) expect(plans.join('\n')).toMatch(index)
  }
  expect(await explain(db, listAccounts(db.read, 1000, 50))).not.toMatch(/USE TEMP B-TREE|Sort/)
  if (isPostgres) await queryRows(db, 'reset enable_seqscan')
  await db.close()
})

test('names are found by their beginning in either order, without regard to capitals, also outside of A to Z', async () => {
  const db = await openTestDb('family')
  await db.write('everything', async (tx) => {
    const [zoe] = await tx.select().from(users).limit(1)
    const { id: _, ...copied } = zoe!
    await tx.insert(users).values({ ...copied, email: 'o@example.net', username: 'o', firstName: 'Örjan', lastName: 'van der Berg' })
  })
  for (const text of ['örjan', 'ÖRJAN van', 'Van Der b', 'van der berg ör', 'VAN'])
    expect(await searchAccounts(db.read, text, 50)).toEqual([expect.objectContaining({ by: 'name', value: 'Örjan van der Berg' })])
  await db.close()
})

test('a customer is found by number, e-mail, identifier, S/N, invoice and order, and each customer once', async () => {
  const db = await openTestDb('family')
  const [alice] = await searchAccounts(db.read, 'ALICE@example.com', 50)
  const { accountId } = alice!
  const [rex] = await queryRows<{ identifier: string; serial: string }>(
    db,
    `select identifier, serial from devices where id = ${SEED.devices.rex}`,
  )
  const [invoice] = await queryRows<{ number: string }>(db, `select number from invoices where id = ${SEED.invoices.aliceFirst}`)
  for (const [text, by] of [
    [`C-${accountId}`, 'account'],
    [`${rex!.identifier.slice(0, 4)} ${rex!.identifier.slice(4, 8)}-${rex!.identifier.slice(8)}`, 'tracker'],
    [rex!.serial.toLowerCase(), 'tracker'],
    [invoice!.number, 'invoice'],
    [normalizeCode(invoice!.number).slice(3), 'invoice'],
    [SEED.orders.delivered, 'order'],
  ] as const)
    expect(await searchAccounts(db.read, text, 50), text).toEqual([expect.objectContaining({ accountId, by })])
  expect(await searchAccounts(db.read, 'nobody@nowhere', 50)).toEqual([])
  await db.close()
})

test('a search that finds more than fits says so by one more', async () => {
  const db = await openTestDb('family')
  expect((await searchAccounts(db.read, 'a', 1)).length).toBe(2)
  await db.close()
})

test('an account is described by its owner and its number of trackers', async () => {
  const db = await openTestDb('family')
  const [alice] = await searchAccounts(db.read, 'alice@example.com', 50)
  const described = await describeAccounts(db.read, [alice!.accountId, 987_654])
  expect(described.get(alice!.accountId)).toMatchObject({ owner: { email: 'alice@example.com' } })
  expect(described.get(alice!.accountId)!.trackers).toBeGreaterThan(3)
  expect(described.get(987_654)).toEqual({ owner: undefined, trackers: 0 })
  await db.close()
})
