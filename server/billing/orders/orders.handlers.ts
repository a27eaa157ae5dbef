import type { orders as contract, Order, OrderDetails } from '#contracts/billing/orders.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { findOrder, listOrders, type OrderRow } from '#server/billing/records/orders.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { findParcelPage } from './parcel-pages.ts'

export const orders: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await listOrders(db.read, viewer)).map(presentOrder)
  },

  async read({ params }, { db, viewer }) {
    const order = await findOrder(db.read, viewer, params.reference)
    if (!order) throw new Failure('not_found')
    return presentDetails(order)
  },
}

function presentOrder(order: OrderRow): Order {
  const page = findParcelPage(order.carrier, order.tracking)
  return {
    reference: order.reference,
    date: formatInstant(order.date),
    status: order.status,
    total: order.total,
    currency: order.currency,
    invoice: order.invoiceId,
    ...(order.carrier !== null && { carrier: order.carrier }),
    ...(order.tracking !== null && { tracking: order.tracking }),
    ...(page !== null && { tracking_url: page }),
    ...(order.shippedAt && { shipped_at: formatInstant(order.shippedAt) }),
    ...(order.deliveredAt && { delivered_at: formatInstant(order.deliveredAt) }),
    ...(order.returnedAt && { returned_at: formatInstant(order.returnedAt) }),
  }
}

const presentDetails = (order: OrderRow): OrderDetails => ({
  ...presentOrder(order),
  lines: order.lines,
  tax: order.tax,
  ...(order.delivery !== null && { delivery: order.delivery }),
})
