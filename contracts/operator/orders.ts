import * as z from 'zod/mini'
import { OrderDetails } from '#contracts/billing/orders.ts'
import { Id, Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { type Sort, SortOf } from './sorting.ts'

/** `to_pick` and `picked` are steps of what the owner sees as in progress. A returned order keeps the owner's status. */
export const ORDER_STATES = ['to_pick', 'picked', 'shipping', 'delivered', 'returned'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Longest name of a carrier and number of a parcel. */
export const PARCEL_LENGTH = { carrier: 40, tracking: 60 } as const
/** Carriers whose page of a parcel is known; any other name is accepted too. */
export const CARRIERS = [
  'DHL',
  'DPD',
  'GLS',
  'Hermes',
  'UPS',
  'FedEx',
  'La Poste',
  'PostNL',
  'bpost',
  'Österreichische Post',
  'Die Post',
  'Correos',
  'CTT',
  'Poste Italiane',
  'PostNord',
  'Posti',
  'Bring',
  'Česká pošta',
  'Zásilkovna',
  'Magyar Posta',
  'InPost',
  'Royal Mail',
  'USPS',
  'Japan Post',
] as const
/** The most orders that are shipped with one request. */
export const MAX_SHIPPED = 200
/** The most stock items of one order. */
export const MAX_PICKED = 100

export const OperatorOrder = z.object({
  reference: z.string(),
  state: listed(ORDER_STATES),
  date: Instant,
  customer: z.object({ account: Id, email: z.string(), name: z.string() }),
  total: OrderDetails.shape.total,
  currency: OrderDetails.shape.currency,
  /** What was bought, such as `1 × New tracker`. */
  contents: z.string(),
  carrier: z.nullable(z.string()),
  tracking: z.nullable(z.string()),
})
export type OperatorOrder = z.infer<typeof OperatorOrder>

const StockPart = z.object({
  identifier: z.string(),
  serial: z.string(),
  /** Whether it is on an account, which has to remove it before somebody else can add it. */
  claimed: z.boolean(),
})

export const OperatorOrderDetails = z.extend(OperatorOrder, {
  lines: OrderDetails.shape.lines,
  tax: OrderDetails.shape.tax,
  invoice: z.nullable(z.object({ id: Id, number: z.string(), refunded: z.boolean() })),
  /** The lines of the label; null when nothing is sent. */
  address: z.nullable(z.array(z.string())),
  /** Whether something is sent: not for a subscription alone. */
  is_sent: z.boolean(),
  items: z.array(StockPart),
  picked_at: z.nullable(Instant),
  shipped_at: z.nullable(Instant),
  delivered_at: z.nullable(Instant),
  returned_at: z.nullable(Instant),
  /** When the customer withdrew from the contract. */
  withdrawn_at: z.nullable(Instant),
  /** The page of the parcel, where the carrier is known. */
  parcel_page: z.nullable(z.string()),
})
export type OperatorOrderDetails = z.infer<typeof OperatorOrderDetails>

/**
 * What becomes of one order of a list that is shipped. `ready`: it would be shipped; `already`: it was shipped with this parcel before;
 * `order_refunded`: it was paid back, or the customer has withdrawn.
 */
export const SHIPMENT_OUTCOMES = ['ready', 'shipped', 'already', 'not_found', 'wrong_step', 'order_refunded', 'duplicate'] as const

export const OperatorShipment = z.object({
  order: z.string(),
  carrier: z.string(),
  tracking: z.nullable(z.string()),
  outcome: listed(SHIPMENT_OUTCOMES),
})
export type OperatorShipment = z.infer<typeof OperatorShipment>

const Parcel = { carrier: Text(1, PARCEL_LENGTH.carrier), tracking: z.optional(Text(1, PARCEL_LENGTH.tracking)) }
const Parcels = z.object({
  orders: z.array(z.object({ order: Text(1, 20), ...Parcel })).check(z.minLength(1), z.maxLength(MAX_SHIPPED)),
})

const Reference = z.object({ reference: z.string().check(z.regex(/^ORD-\d{1,12}$/)) })

const step = {
  method: 'POST',
  access: { staff: staffRights.handleStock },
  params: Reference,
  response: { 200: OperatorOrderDetails },
  safety: 'destructive',
  provenance: 'ours',
} as const

export const ORDER_SORTS = ['date', 'total'] as const
export type OrderSort = Sort<(typeof ORDER_SORTS)[number]>

export const operatorOrders = {
  list: {
    method: 'GET',
    path: '/operator/api/orders/',
    summary: 'A page of the orders, the newest first or by `sort`; `next` is the `after` of the next page',
    access: { staff: staffRights.readStock },
    query: z.object({
      state: z.optional(z.enum(ORDER_STATES)),
      /** The beginning of a number or e-mail address, a name, or the number of a parcel or an invoice. */
      search: z.optional(z.string().check(z.maxLength(254))),
      sort: SortOf(ORDER_SORTS),
      after: z.optional(z.string().check(z.regex(/^-?\d{1,15}_ORD-\d{1,12}$/))),
    }),
    response: { 200: z.object({ orders: z.array(OperatorOrder), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  read: {
    method: 'GET',
    path: '/operator/api/orders/:reference/',
    summary: 'Shows an order with its lines, its address and the items that were sent',
    access: { staff: staffRights.readStock },
    params: Reference,
    response: { 200: OperatorOrderDetails },
    safety: 'read',
    provenance: 'ours',
  },
  pick: {
    ...step,
    path: '/operator/api/orders/:reference/pick/',
    summary: 'Notes that the items of an order were taken from the stock, and which ones: by identifier or S/N',
    body: z.object({ items: z._default(z.array(Text(1, 40)).check(z.maxLength(MAX_PICKED)), []) }),
    errors: ['wrong_step', 'order_refunded', 'not_in_stock', 'in_use'],
  },
  ship: {
    ...step,
    path: '/operator/api/orders/:reference/ship/',
    summary: 'Notes that an order was handed to the carrier; the owner gets a mail with the number of the parcel',
    body: z.object(Parcel),
    errors: ['wrong_step', 'order_refunded'],
  },
  previewShipments: {
    method: 'POST',
    path: '/operator/api/orders/ship/preview/',
    summary: 'Tells what shipping a list of orders would do; changes nothing',
    access: { staff: staffRights.handleStock },
    body: Parcels,
    response: { 200: z.object({ shipments: z.array(OperatorShipment) }) },
    safety: 'read',
    provenance: 'ours',
  },
  shipMany: {
    method: 'POST',
    path: '/operator/api/orders/ship/',
    summary: 'Ships a list of orders; one that cannot be shipped stops no other, and one that was shipped with this parcel before stays',
    access: { staff: staffRights.handleStock },
    body: Parcels,
    response: { 200: z.object({ shipments: z.array(OperatorShipment) }) },
    safety: 'destructive',
    provenance: 'ours',
  },
  deliver: {
    ...step,
    path: '/operator/api/orders/:reference/deliver/',
    summary: 'Notes that an order has arrived',
    body: z.object({}),
    errors: ['wrong_step'],
  },
  return: {
    ...step,
    path: '/operator/api/orders/:reference/return/',
    summary: 'Notes that an order came back: its items are in stock again, with their included months unless an account has them',
    body: z.object({}),
    errors: ['wrong_step'],
  },
} as const satisfies Contract
