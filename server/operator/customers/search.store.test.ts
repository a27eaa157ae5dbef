import { expect, test } from 'vitest'
import { CUSTOMER_SORTS, type ListedCustomer } from '#contracts/operator/customers.ts'
import { listSorts } from '#contracts/operator/sorting.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { Db } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { readEngine } from '#db/schema/engine.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries, openTestDb, queryRows } from '#server/test/test-database.ts'
import { describeAccounts, listAccounts, listQueries, searchAccounts } from './search.store.ts'

/** Adds accounts whose owners have a few names between them. */
const addCustomers = (db: Db, count: number) =>
  db.write('everything', async (tx) => {
    const [template] = await tx.select().from(users).limit(1)
    const { id: _, ...copied } = template!
    for (let from = 0; from < count; from += 500) {
      const names = Array.from({ length: Math.min(500, count - from) }, (_, n) => `many${from + n}`)
      const made = await tx
        .insert(accounts)
        .values(names.map(() => ({})))
        .returning()
      await tx.insert(users).values(
        names.map((name, n) => ({
          ...{ ...copied, accountId: made[n]!.id, email: `${name}@example.net`, username: name, role: 'user' as const },
          ...{ firstName: 'Kim', lastName: `Nord${(n * 7) % 40}` },
        })),
      )
    }
  })

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
    const plans = await explainQueries(
      db,
      listQueries(db.read, text, 50).map(({ query }) => query),
    )
    expect(plans.filter((plan) => /SCAN|Seq Scan/.test(plan))).toEqual([])
    for (const index of indexes) expect(plans.join('\n')).toMatch(index)
  }
  await db.close()
})

test('each page of the customers reads an index in its order', async () => {
  const db = await openTestDb('family')
  if (readEngine() === 'postgres') await addCustomers(db, 3000)
  const after = { value: '1000', key: '1000' }
  const plans = await explainQueries(
    db,
    listSorts(CUSTOMER_SORTS).flatMap((sort) => [listAccounts(db.read, sort, undefined, 50), listAccounts(db.read, sort, after, 50)]),
  )
  // The unique index of addresses has the same order.
  expect(plans.filter((plan) => !/owners_by_(name|email|account)|users_email_unique/.test(plan))).toEqual([])
  expect(plans.filter((plan) => /USE TEMP B-TREE|Sort/.test(plan))).toEqual([])
  await db.close()
})

test('customers are sorted by last name, e-mail address or time, and each page begins where the one before has ended', async () => {
  await using portal = await startPortal()
  const helper = await signInStaffAs(portal.world, { email: 'h@shop.example', name: 'Hana Help', role: 'support' })
  await addCustomers(portal.world.db, 120)
  const read = async (sort: string) => {
    const seen: ListedCustomer[] = []
    for (let before = ''; before !== 'end'; ) {
      const query = `?sort=${sort}${before && `&before=${encodeURIComponent(before)}`}`
      const { body } = await portal.call(null, 'GET', `/operator/api/customers/${query}`, undefined, helper)
      seen.push(...body.customers)
      before = body.next ?? 'end'
    }
    return seen
  }
  const values = { name: (one: ListedCustomer) => one.name.split(' ').at(-1)!.toLowerCase(), email: (one: ListedCustomer) => one.email }
  const all = (await read('since')).map(({ account }) => account)
  expect(all.length).toBeGreaterThan(120)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  const emails = (await read('email')).map(values.email)
  expect(emails).toEqual(emails.toSorted())
  expect(new Set(emails).size).toBe(all.length)
  expect((await read('-email')).map(values.email)).toEqual(emails.toReversed())
  const names = (await read('name')).filter(({ email }) => email.startsWith('many')).map(values.name)
  expect(names).toEqual(names.toSorted())
  expect(new Set((await read('-name')).map(({ account }) => account)).size).toBe(all.length)
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
