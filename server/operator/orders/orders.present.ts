import type { OperatorOrder, OperatorOrderDetails } from '#contracts/operator/orders.ts'
import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { findParcelPage } from '#server/billing/orders/parcel-pages.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { findWithdrawal } from '#server/billing/withdrawals/withdrawals.store.ts'
import { type Customer, presentCustomer } from '#server/operator/search/present-customer.ts'
import { isSent, stateOf } from './order-state.ts'
import { findDelivery, findInvoiceOf, listSentItems } from './orders.store.ts'

const toIso = (at: Date | null) => at && formatInstant(at)

export function presentOrder(order: OrderRow, customer: Customer): OperatorOrder {
  return {
    reference: order.reference,
    state: stateOf(order),
    date: formatInstant(order.date),
    customer,
    total: order.total,
    currency: order.currency,
    contents: order.lines.map(({ quantity, label }) => `${quantity} × ${label}`).join(', '),
    carrier: order.carrier,
    tracking: order.tracking,
  }
}

/** Whether the whole amount went back, by a refund or by the bank. */
const isPaidBack = ({ amount, refunded, dispute }: { amount: number; refunded: number; dispute: string | null }) =>
  dispute === 'lost' || (amount > 0 && refunded >= amount)

export const findRefundedInvoice = async (db: DbReader, order: OrderRow) => {
  const invoice = await findInvoiceOf(db, order)
  return invoice && { id: invoice.id, number: invoice.number, refunded: isPaidBack(invoice) }
}

export async function presentDetails(db: DbReader, order: OrderRow): Promise<OperatorOrderDetails> {
  const delivery = await findDelivery(db, order)
  const items = await listSentItems(db, order.reference)
  return {
    ...presentOrder(order, await presentCustomer(db, order.accountId)),
    lines: order.lines,
    tax: order.tax,
    invoice: (await findRefundedInvoice(db, order)) ?? null,
    address: delivery?.split('\n') ?? null,
    is_sent: isSent(order),
    items: items.map(({ identifier, serial, accountId }) => ({
      identifier: formatIdentifier(identifier),
      serial,
      claimed: accountId !== null,
    })),
    picked_at: toIso(order.pickedAt),
    shipped_at: toIso(order.shippedAt),
    delivered_at: toIso(order.deliveredAt),
    returned_at: toIso(order.returnedAt),
    withdrawn_at: toIso((await findWithdrawal(db, order.reference))?.receivedAt ?? null),
    parcel_page: findParcelPage(order.carrier, order.tracking),
  }
}
