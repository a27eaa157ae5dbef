import type Stripe from 'stripe'
import type { CardRow } from '#server/billing/records/payment-methods.store.ts'
import { isMissing } from '#server/ports/payments.ts'
import { readCards } from './provider-cards.ts'

/** State of a customer at Stripe, oldest first. */
export type CustomerState = {
  cards: Omit<CardRow, 'accountId'>[]
  sessions: Stripe.Checkout.Session[]
  subscriptions: Stripe.Subscription[]
  invoices: Stripe.Invoice[]
}

/** More than a customer has. */
const READ_LIMIT = { limit: 1000 }
const PAGE_SIZE = 100

/** Reads everything; empty lists for a customer that Stripe does not know. */
export async function readCustomer(stripe: Stripe, customer: string): Promise<CustomerState> {
  const asked = { customer, limit: PAGE_SIZE }
  const cards = await readCards(stripe, customer)
  const sessions = await emptyIfMissing(stripe.checkout.sessions.list({ ...asked, status: 'complete' }).autoPagingToArray(READ_LIMIT))
  const subscriptions = await emptyIfMissing(stripe.subscriptions.list({ ...asked, status: 'all' }).autoPagingToArray(READ_LIMIT))
  const invoices = await emptyIfMissing(stripe.invoices.list(asked).autoPagingToArray(READ_LIMIT))
  return { cards, sessions: sessions.toReversed(), subscriptions: subscriptions.toReversed(), invoices: invoices.toReversed() }
}

async function emptyIfMissing<T>(list: Promise<T[]>): Promise<T[]> {
  try {
    return await list
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
