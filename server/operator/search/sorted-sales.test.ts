import { expect, test } from 'vitest'
import { INVOICE_FILTERS, INVOICE_SORTS } from '#contracts/operator/invoices.ts'
import { ORDER_SORTS, ORDER_STATES } from '#contracts/operator/orders.ts'
import { listSorts } from '#contracts/operator/sorting.ts'
import { invoices, orders } from '#db/schema/commerce.ts'
import { readEngine } from '#db/schema/engine.ts'
import { selectInvoices } from '#server/operator/invoices/invoices.store.ts'
import { selectOrders } from '#server/operator/orders/orders.store.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries, openTestDb, queryRows } from '#server/test/test-database.ts'

const LISTS = [
  { name: 'orders', column: 'total' },
  { name: 'invoices', column: 'amount' },
] as const

test.each(LISTS)('$name are sorted by $column, and each page begins where the one before has ended', async ({ name, column }) => {
  await using portal = await startPortal()
  const { world } = portal
  const cashier = await signInStaffAs(world, { email: 'c@shop.example', name: 'Kai Cash', role: 'admin' })
  const [order] = await world.db.read.select().from(orders).limit(1)
  const [invoice] = await world.db.read.select().from(invoices).limit(1)
  await world.db.write('everything', async (tx) => {
    for (let n = 0; n < 120; n++) {
      await tx.insert(orders).values({ ...order!, reference: `ORD-${2000 + n}`, total: (n * 7) % 30 })
      await tx.insert(invoices).values({ ...invoice!, id: 2000 + n, number: `INV-${2000 + n}`, providerId: null, amount: (n * 7) % 30 })
    }
  })
  const read = async (sort: string) => {
    const seen: Record<string, number | string>[] = []
    for (let after = ''; after !== 'end'; ) {
      const query = `?sort=${sort}${after && `&after=${after}`}`
      const { body } = await portal.call(null, 'GET', `/operator/api/${name}/${query}`, undefined, cashier)
      seen.push(...body[name])
      after = body.next ?? 'end'
    }
    return seen
  }
  const amounts = (await read(column)).map((row) => Number(row[column]))
  expect(amounts.length).toBeGreaterThan(120)
  expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
  const down = await read(`-${column}`)
  expect(down.map((row) => row[column])).toEqual(amounts.toReversed())
  expect(new Set(down.map((row) => row.reference ?? row.id)).size).toBe(amounts.length)
})

test('each page of the sorted orders and invoices, in any state, reads an index in its order', async () => {
  const db = await openTestDb('family')
  if (readEngine() === 'postgres') await queryRows(db, 'set enable_seqscan = off')
  const after = { value: '12', key: '9' }
  const plans = await explainQueries(db, [
    ...listSorts(ORDER_SORTS).flatMap((sort) => [
      selectOrders(db.read, { sort }, 50),
      selectOrders(db.read, { sort, after }, 50),
      ...ORDER_STATES.map((state) => selectOrders(db.read, { state, sort, after }, 50)),
    ]),
    ...listSorts(INVOICE_SORTS).flatMap((sort) => [
      selectInvoices(db.read, { sort }, 50),
      selectInvoices(db.read, { sort, after }, 50),
      ...INVOICE_FILTERS.map((state) => selectInvoices(db.read, { state, sort, after }, 50)),
    ]),
  ])
  expect(plans.filter((plan) => !/(orders|invoices)_(by|returned|refunded|disputed)_/.test(plan))).toEqual([])
  if (readEngine() === 'sqlite') expect(plans.filter((plan) => plan.includes('USE TEMP B-TREE'))).toEqual([])
  await db.close()
})
