import type { Order, OrderDetails } from '#contracts/billing/orders.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { OrderRow } from './orders.store.ts'

export const presentOrder = (order: OrderRow): Order => ({
  reference: order.reference,
  date: formatInstant(order.date),
  status: order.status,
  total: order.total,
  currency: order.currency,
  invoice: order.invoiceId,
})

export const presentDetails = (order: OrderRow): OrderDetails => ({ ...presentOrder(order), lines: order.lines, tax: order.tax })
