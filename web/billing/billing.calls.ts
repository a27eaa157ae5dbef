import { invoices } from '#contracts/invoices.ts'
import { orders } from '#contracts/orders.ts'
import { paymentMethods } from '#contracts/payment-methods.ts'
import { subscriptions } from '#contracts/subscriptions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** What was bought, what is to be paid, and with which card. */
export const calls = {
  orders: createClient(orders, outside),
  invoices: createClient(invoices, outside),
  cards: createClient(paymentMethods, outside),
  openPortal: createClient({ billingPortal: subscriptions.billingPortal }, outside).billingPortal,
}
