import type Stripe from 'stripe'
import type { Tx } from '#db/db.ts'
import type { ChangedDevice } from '#db/device-changes.ts'
import { type CardRow, replaceCards } from '#server/billing/records/payment-methods.store.ts'
import { findAccountId } from '#server/billing/records/payments.store.ts'
import { isMissing } from '#server/ports/payments.ts'
import { grantCheckouts } from './grant-checkouts.ts'
import { readCards } from './provider-cards.ts'
import { saveInvoices } from './save-invoices.ts'
import { saveRenewals } from './save-renewals.ts'

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

/** The lists are empty for a customer that Stripe does not know. */
export async function readCustomer(stripe: Stripe, customer: string): Promise<CustomerState> {
  const query = { customer, limit: PAGE_SIZE }
  const cards = await readCards(stripe, customer)
  const sessions = await emptyIfMissing(stripe.checkout.sessions.list({ ...query, status: 'complete' }).autoPagingToArray(READ_LIMIT))
  const subscriptions = await emptyIfMissing(stripe.subscriptions.list({ ...query, status: 'all' }).autoPagingToArray(READ_LIMIT))
  const invoices = await emptyIfMissing(stripe.invoices.list(query).autoPagingToArray(READ_LIMIT))
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

export type SyncMoment = { now: Date; touch: (device: ChangedDevice) => void }

/**
 * Makes our rows of a customer match Stripe. Everything is derived from Stripe's present state, so it does not matter which events arrived,
 * how often or in which order. Does nothing for a customer that is no account of ours.
 */
export async function applyCustomerState(tx: Tx, customer: string, state: CustomerState, moment: SyncMoment) {
  const accountId = await findAccountId(tx, customer)
  if (accountId === undefined) return
  await grantCheckouts(tx, accountId, state, moment)
  await saveInvoices(tx, accountId, state.invoices, moment.now)
  await saveRenewals(tx, accountId, state, moment)
  await replaceCards(tx, customer, state.cards)
}
