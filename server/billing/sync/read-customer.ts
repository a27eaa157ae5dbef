import type Stripe from 'stripe'
import type { CardRow } from '#server/billing/records/payment-methods.store.ts'
import { isMissing } from '#server/ports/payments.ts'
import { cardsAt } from './provider-cards.ts'

/** State of a customer at Stripe, oldest first. */
export type Told = {
  cards: Omit<CardRow, 'accountId'>[]
  sessions: Stripe.Checkout.Session[]
  subscriptions: Stripe.Subscription[]
  invoices: Stripe.Invoice[]
}

/** More than a customer has. */
const MOST = { limit: 1000 }
const PAGE = 100

/** Reads everything; empty lists for a customer that Stripe does not know. */
export async function readCustomer(stripe: Stripe, customer: string): Promise<Told> {
  const asked = { customer, limit: PAGE }
  const cards = await cardsAt(stripe, customer)
  const sessions = await known(stripe.checkout.sessions.list({ ...asked, status: 'complete' }).autoPagingToArray(MOST))
  const subscriptions = await known(stripe.subscriptions.list({ ...asked, status: 'all' }).autoPagingToArray(MOST))
  const invoices = await known(stripe.invoices.list(asked).autoPagingToArray(MOST))
  return { cards, sessions: sessions.toReversed(), subscriptions: subscriptions.toReversed(), invoices: invoices.toReversed() }
}

async function known<T>(list: Promise<T[]>): Promise<T[]> {
  try {
    return await list
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
