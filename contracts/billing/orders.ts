import * as z from 'zod/mini'
import { CurrencyCode, Id, Instant, MinorUnits, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const ORDER_STATUSES = ['in_progress', 'shipping', 'delivered'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const Order = z.object({
  reference: z.string(),
  date: Instant,
  status: openEnum(ORDER_STATUSES),
  total: MinorUnits,
  currency: CurrencyCode,
  invoice: z.nullable(Id),
  /** Who brings the parcel, and its number there. */
  carrier: z.optional(z.string()),
  tracking: z.optional(z.string()),
  /** The carrier's page of the parcel, where it is known. */
  tracking_url: z.optional(z.string()),
  shipped_at: z.optional(Instant),
  delivered_at: z.optional(Instant),
  returned_at: z.optional(Instant),
})
export type Order = z.infer<typeof Order>

export const OrderDetails = z.extend(Order, {
  lines: z.array(z.object({ label: z.string(), quantity: z.int(), unit_amount: MinorUnits })),
  tax: z.nullable(MinorUnits),
  /** Name and address for the parcel, in lines; only of an order that is sent. */
  delivery: z.optional(z.string()),
})
export type OrderDetails = z.infer<typeof OrderDetails>

export const orders = {
  list: {
    method: 'GET',
    path: '/users/orders/',
    summary: 'Lists the orders of the account, newest first',
    access: rights.readOrders,
    response: { 200: z.array(Order) },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/users/orders/:reference/',
    summary: 'Shows an order with its lines and its tax',
    access: rights.readOrders,
    params: z.object({ reference: z.string() }),
    response: { 200: OrderDetails },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract
