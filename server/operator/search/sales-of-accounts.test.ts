import { expect, test } from 'vitest'
import { invoices, orders } from '#db/schema/commerce.ts'
import { selectInvoices } from '#server/operator/invoices/invoices.store.ts'
import { selectOrders } from '#server/operator/orders/orders.store.ts'
import { hasOneOf } from '#server/operator/search/search.store.ts'
import { explainQueries, openTestDb } from '#server/test/test-database.ts'

test('sales of a few accounts are looked up, and not filtered from all', async () => {
  const db = await openTestDb('family')
  const accounts = [1, 2, 3]
  const [ordered, invoiced] = await explainQueries(db, [
    selectOrders(db.read, {}, 50, hasOneOf([orders.reference, []], [orders.accountId, accounts])),
    selectInvoices(db.read, {}, 50, hasOneOf([invoices.id, []], [invoices.accountId, accounts])),
  ])
  expect(ordered).toContain('orders_by_account')
  expect(invoiced).toContain('invoices_by_account')
  await db.close()
})
