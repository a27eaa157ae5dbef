import type { orders as contract } from '#contracts/billing/orders.ts'
import { presentDetails, presentOrder } from '#server/billing/records/orders.present.ts'
import { findOrder, listOrders } from '#server/billing/records/orders.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'

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
