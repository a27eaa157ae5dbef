import type { orders as contract } from '#contracts/orders.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { presentDetails, presentOrder } from './present.ts'
import { findOrder, ordersInSight } from './store.ts'

export const orders: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await ordersInSight(db.read, viewer)).map(presentOrder)
  },

  async read({ params }, { db, viewer }) {
    const order = await findOrder(db.read, viewer, params.reference)
    if (!order) throw new Failure('not_found')
    return presentDetails(order)
  },
}
