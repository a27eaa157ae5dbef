import type { operatorOrders as contract, OrderSort } from '#contracts/operator/orders.ts'
import type { DbReader } from '#db/db.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { presentCustomers } from '#server/operator/search/present-customer.ts'
import { deliverOrder, pickOrder, returnOrder, shipOrder } from './move-order.ts'
import { presentDetails, presentOrder } from './orders.present.ts'
import { findOrderOf, listOrders, type OrderFilter } from './orders.store.ts'
import { previewShipments, shipOrders } from './ship-orders.ts'

const PAGE_SIZE = 50

type Query = { state?: OrderFilter['state']; search?: string | undefined; sort?: OrderSort | undefined; after?: string | undefined }

/** A page of the orders, and the `after` of the next page. */
export async function readPage(db: DbReader, { state, search, sort, after }: Query) {
  const rows = await listOrders(db, { state, search: search?.trim(), sort, after: parsePageEnd(after) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  const customerOf = await presentCustomers(db, page)
  return {
    orders: page.map((row) => presentOrder(row, customerOf(row.accountId))),
    next:
      last && rows.length > PAGE_SIZE ? formatPageEnd(sort?.endsWith('total') ? last.total : last.date.getTime(), last.reference) : null,
  }
}

export async function readOrder(db: DbReader, reference: string) {
  const order = await findOrderOf(db, reference)
  if (!order) throw new Failure('not_found')
  return presentDetails(db, order)
}

export const operatorOrders: Handlers<typeof contract> = {
  list: ({ query }, { db }) => readPage(db.read, query),
  read: ({ params }, { db }) => readOrder(db.read, params.reference),
  pick: ({ params, body }, context) => pickOrder(context, params.reference, body.items),
  ship: ({ params, body }, context) => shipOrder(context, params.reference, body),
  previewShipments: async ({ body }, { db }) => ({ shipments: await previewShipments(db.read, body.orders) }),
  shipMany: async ({ body }, context) => ({ shipments: await shipOrders(context, body.orders) }),
  deliver: ({ params }, context) => deliverOrder(context, params.reference),
  return: ({ params }, context) => returnOrder(context, params.reference),
}
