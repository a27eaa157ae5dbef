import type Stripe from 'stripe'
import type { DbReader, Tx } from '#db/db.ts'
import { paymentDate } from '#server/billing/grants/add-order.ts'
import { grantCheckouts } from '#server/billing/grants/grant-checkouts.ts'
import { grantLostSubscriptions } from '#server/billing/grants/grant-lost.ts'
import { addLostPrices, findLostPurchases, listSales, type Sale } from '#server/billing/grants/lost-purchases.store.ts'
import { invoicesOf, raiseNumber } from '#server/billing/records/invoices.store.ts'
import { readInstant } from '#server/billing/records/payment-cursors.store.ts'
import { replaceCards } from '#server/billing/records/payment-methods.store.ts'
import { listProviderSubscriptions } from '#server/billing/records/payments.store.ts'
import { type DescribedItem, parseItems, parseNumber } from '#server/billing/records/purchase-metadata.ts'
import type { CustomerState, PartlyGranted } from '#server/billing/records/stripe-state.ts'
import { saveUnexplained } from '#server/billing/records/unexplained.store.ts'
import { adoptCustomer, findPayingAccount, isForgotten } from '#server/billing/recovery/paying-account.store.ts'
import { findUnexplained } from '#server/billing/recovery/unexplained.ts'
import { saveReturns } from '#server/billing/returns/save-returns.ts'
import { isMissing, isRunning, stripeId } from '#server/ports/payments.ts'
import { findStripeCustomer, readCardsOf, type StripeCard } from './provider-cards.ts'
import { saveInvoices } from './save-invoices.ts'
import { saveRenewals } from './save-renewals.ts'

/** A customer has fewer objects than this. */
const READ_LIMIT = { limit: 1000 }
const PAGE_SIZE = 100

/**
 * The lists are empty for a customer unknown to Stripe. Charges are read before the objects that explain them, so that a payment made while
 * we read is not reported as unexplained: charges, their invoices, the subscriptions, the sessions that led to all of them.
 */
export async function readCustomer(stripe: Stripe, id: string): Promise<CustomerState> {
  const query = { customer: id, limit: PAGE_SIZE }
  const customer = await findStripeCustomer(stripe, id)
  const charges = await emptyIfMissing(stripe.charges.list(query).autoPagingToArray(READ_LIMIT))
  const invoices = await emptyIfMissing(stripe.invoices.list({ ...query, expand: ['data.payments'] }).autoPagingToArray(READ_LIMIT))
  const subscriptions = await emptyIfMissing(stripe.subscriptions.list({ ...query, status: 'all' }).autoPagingToArray(READ_LIMIT))
  const sessions = await emptyIfMissing(stripe.checkout.sessions.list({ ...query, status: 'complete' }).autoPagingToArray(READ_LIMIT))
  const disputes: Stripe.Dispute[] = []
  // Newest first, like Stripe's lists; a charge has at most one.
  for (const { id: charge, disputed } of charges)
    if (disputed) disputes.push(...(await emptyIfMissing(stripe.disputes.list({ charge, limit: PAGE_SIZE }).autoPagingToArray(READ_LIMIT))))
  const refunds: Stripe.Refund[] = []
  for (const { id: charge, amount_refunded } of charges)
    if (amount_refunded > 0)
      refunds.push(...(await emptyIfMissing(stripe.refunds.list({ charge, limit: PAGE_SIZE }).autoPagingToArray(READ_LIMIT))))
  const lists = {
    sessions: sessions.toReversed(),
    subscriptions: subscriptions.toReversed(),
    invoices: invoices.toReversed(),
    charges: charges.toReversed(),
    disputes: disputes.toReversed(),
    refunds: refunds.toReversed(),
  }
  await addBoughtMeanwhile(stripe, lists)
  return { customer, ...lists }
}

/** Adds the invoice and the subscription of each session that was paid after their lists were read. */
async function addBoughtMeanwhile(stripe: Stripe, { sessions, invoices, subscriptions }: Omit<CustomerState, 'customer'>) {
  const isUnlisted = (id: string | null, list: readonly { id: string }[]) => id !== null && !list.some((one) => one.id === id)
  for (const session of sessions) {
    const invoice = stripeId(session.invoice)
    if (isUnlisted(invoice, invoices))
      invoices.push(...(await emptyIfMissing(stripe.invoices.retrieve(invoice!, { expand: ['payments'] }).then((one) => [one]))))
    const subscription = stripeId(session.subscription)
    if (isUnlisted(subscription, subscriptions))
      subscriptions.push(...(await emptyIfMissing(stripe.subscriptions.retrieve(subscription!).then((one) => [one]))))
  }
}

async function emptyIfMissing<T>(list: Promise<T[]>): Promise<T[]> {
  try {
    return await list
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Further objects of a customer that has an account. */
export type Related = {
  cards: StripeCard[]
  /** Subscriptions of the account that belong to another customer of it. */
  elsewhere: ReadonlySet<string>
  /** Products and prices of the purchases that the database lost. */
  lost: { described: DescribedItem[]; sales: Sale[] }
}

export async function readRelated(stripe: Stripe, db: DbReader, customer: string, state: CustomerState): Promise<Related> {
  const accountId = await findPayingAccount(db, customer, state.customer)
  if (accountId === undefined) return { cards: [], elsewhere: new Set(), lost: { described: [], sales: [] } }
  const cards = state.customer ? await readCardsOf(stripe, state.customer) : []
  const elsewhere = new Set<string>()
  for (const { subscription } of await listProviderSubscriptions(db, accountId)) {
    const id = subscription.providerId
    if (!id || !isRunning(subscription.status) || state.subscriptions.some((one) => one.id === id)) continue
    const [found] = await emptyIfMissing(stripe.subscriptions.retrieve(id).then((one) => [one]))
    if (found && stripeId(found.customer) !== customer) elsewhere.add(id)
  }
  const { sessions, subscriptions } = await findLostPurchases(db, state)
  const sales = subscriptions.flatMap(({ items }) => listSales(items.data))
  for (const { id } of sessions) sales.push(...listSales((await stripe.checkout.sessions.listLineItems(id, { limit: PAGE_SIZE })).data))
  return { cards, elsewhere, lost: { described: [...sessions, ...subscriptions].flatMap(({ metadata }) => parseItems(metadata)), sales } }
}

/**
 * Makes our rows of a customer match Stripe. Everything is derived from Stripe's current state, so it does not matter which events arrived,
 * how often or in which order, nor which rows a restore has reverted. Returns new unexplained payments.
 */
export async function applyCustomerState(tx: Tx, customer: string, state: CustomerState, { cards, elsewhere, lost }: Related, now: Date) {
  const accountId = await findPayingAccount(tx, customer, state.customer)
  const partly: PartlyGranted[] = []
  if (accountId !== undefined) {
    const before = await invoicesOf(tx, accountId)
    const applyInvoices = async (invoices: Stripe.Invoice[]) => {
      await saveInvoices(tx, accountId, invoices, state, now)
      await saveRenewals(tx, accountId, { ...state, invoices, elsewhere }, now)
    }
    const applyUntil = (paidAt: Date) => applyInvoices(state.invoices.filter((invoice) => (paymentDate(invoice) ?? now) < paidAt))
    await adoptCustomer(tx, accountId, customer)
    await raiseNumber(tx, Math.max(0, ...state.invoices.map(({ metadata }) => parseNumber(metadata))))
    await addLostPrices(tx, lost.described, lost.sales)
    const granting = { accountId, state, now, applyUntil }
    partly.push(...(await grantCheckouts(tx, granting)), ...(await grantLostSubscriptions(tx, granting)))
    await applyInvoices(state.invoices)
    await saveReturns(tx, { accountId, before, state, now })
    await replaceCards(tx, customer, cards)
  }
  const since = await readInstant(tx, 'watched')
  const isWatched = since && state.customer && !(await isForgotten(tx, customer))
  return saveUnexplained(tx, customer, isWatched ? await findUnexplained(tx, state, { accountId, partly, since }) : [], now)
}
