import type { OperatorWithdrawal, OperatorWithdrawalDetails } from '#contracts/operator/withdrawals.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { findPaidInvoice, type WithdrawalRow } from '#server/billing/withdrawals/withdrawals.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { presentInvoiceDetails } from '#server/operator/invoices/invoices.present.ts'
import { presentOrder } from '#server/operator/orders/orders.present.ts'
import { findOrderOf } from '#server/operator/orders/orders.store.ts'
import { presentCustomer } from '#server/operator/search/present-customer.ts'
import { findWithdrawalById } from './withdrawals.store.ts'

/** A withdrawal with the rows that it was made from. */
export async function presentWithdrawal(db: DbReader, row: WithdrawalRow) {
  const order = row.orderReference === null ? undefined : await findOrderOf(db, row.orderReference)
  const { invoice } = (order && (await findPaidInvoice(db, order))) ?? {}
  const { reference, state, contents, customer } = order ? presentOrder(order, await presentCustomer(db, order.accountId)) : {}
  const shown: OperatorWithdrawal = {
    id: row.id,
    received_at: formatInstant(row.receivedAt),
    reference: row.reference,
    email: row.email,
    name: row.name,
    outcome: row.outcome,
    contract: reference && state && customer ? { order: reference, state, contents: contents ?? '', customer } : null,
    money: findMoney(row, order, invoice),
  }
  return { shown, order, invoice }
}

function findMoney({ outcome }: WithdrawalRow, order: OrderRow | undefined, invoice: { amount: number; refunded: number } | undefined) {
  if (!order || !invoice || (outcome !== 'refund' && outcome !== 'return')) return null
  if (invoice.refunded >= invoice.amount) return 'back'
  return outcome === 'return' && !order.returnedAt ? 'waits' : 'under_way'
}

/** Throws `not_found`. */
export async function readWithdrawal(db: DbReader, id: number): Promise<OperatorWithdrawalDetails> {
  const row = await findWithdrawalById(db, id)
  if (!row) throw new Failure('not_found')
  const { shown, order, invoice } = await presentWithdrawal(db, row)
  const paid = invoice && (await presentInvoiceDetails(db, invoice))
  const toIso = (at: Date | null | undefined) => (at ? formatInstant(at) : null)
  return {
    ...shown,
    ordered_at: toIso(order?.date),
    delivered_at: toIso(order?.deliveredAt),
    returned_at: toIso(order?.returnedAt),
    invoice: paid
      ? {
          id: paid.id,
          number: paid.number,
          amount: paid.amount,
          refunded: paid.refunded,
          currency: paid.currency,
          credit_notes: paid.credit_notes,
        }
      : null,
  }
}
