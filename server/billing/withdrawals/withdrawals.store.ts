import { and, eq, inArray, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { listSpellings } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { invoices, orders } from '#db/schema/commerce.ts'
import { invoicePayments, withdrawals } from '#db/schema/returns.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'

export type WithdrawalRow = typeof withdrawals.$inferSelect

/** The order with this number, or with this invoice, if a user of its account has the address. */
export async function findContract(db: DbReader, reference: string, email: string): Promise<OrderRow | undefined> {
  const number = reference.replace('INV-', 'ORD-')
  const [row] = await db
    .select({ order: orders })
    .from(orders)
    .innerJoin(users, eq(users.accountId, orders.accountId))
    .where(and(eq(orders.reference, number), inArray(sql`lower(${users.email})`, listSpellings(email.toLowerCase()))))
    .limit(1)
  return row?.order
}

/** The accepted withdrawal from an order. */
export async function findWithdrawal(db: DbReader, orderReference: string): Promise<WithdrawalRow | undefined> {
  const [row] = await db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.orderReference, orderReference), inArray(withdrawals.outcome, ['refund', 'return'])))
    .limit(1)
  return row
}

export const addWithdrawal = (tx: Tx, row: Omit<WithdrawalRow, 'id'>) => tx.insert(withdrawals).values(row)

/** The invoice of an order, and the country of the billing address that paid it. */
export async function findPaidInvoice(db: DbReader, { invoiceId }: OrderRow) {
  if (invoiceId === null) return undefined
  const [invoice] = await db.select().from(invoices).where(eq(invoices.id, invoiceId))
  if (!invoice) return undefined
  const { country } = invoicePayments
  const [payment] = await db.select({ country }).from(invoicePayments).where(eq(invoicePayments.invoiceNumber, invoice.number)).limit(1)
  return { invoice, country: payment?.country ?? null }
}

/** Pays the order back by a task, which tries until it succeeds. */
export async function refundWithdrawn(tx: Tx, order: OrderRow, now: Date) {
  const paid = await findPaidInvoice(tx, order)
  if (paid) await queueTasks(tx, [{ kind: 'refund', ref: paid.invoice.number }], now)
}
