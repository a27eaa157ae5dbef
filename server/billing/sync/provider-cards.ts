import type Stripe from 'stripe'
import type { Fence } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { type CardRow, findDefaultCard, replaceCards } from '#server/billing/records/payment-methods.store.ts'
import { customerLock } from '#server/billing/records/payments.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { isMissing, stripeId } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'

type Ports = Pick<World, 'db' | 'payments'>
export type StripeCard = Omit<CardRow, 'accountId'>

/** A customer has fewer cards than this. */
const CARD_LIMIT = 100

/** Reads a customer's cards from Stripe and stores them. */
export const syncCards = (ports: Ports, customer: string) =>
  runExclusive(ports.db, customer, (fence) => readAndSaveCards(ports, customer, fence))

/** Like `syncCards`, for a caller that already has exclusive access to the customer. */
export async function readAndSaveCards(ports: Ports, customer: string, fence: Fence) {
  const { db, payments } = ports
  const cards = await readCards(payments.stripe, customer)
  await moveSubscriptionsToDefault(ports, customer, cards)
  await writeDevices(db, customerLock(customer), async (tx) => {
    await fence(tx)
    await replaceCards(tx, customer, cards)
  })
}

/** Makes a card pay future charges, including those of subscriptions bought with another card. */
export async function makeCardDefault(stripe: Stripe, customer: string, card: string) {
  await setDefaultCard(stripe, customer, card)
  await moveSubscriptions(stripe, customer, card)
}

/**
 * When the default card was changed on one of Stripe's pages, moves the subscriptions to it: the displayed card is the one that is charged.
 */
export async function moveSubscriptionsToDefault({ db, payments: { stripe } }: Ports, customer: string, cards: readonly StripeCard[]) {
  const before = await findDefaultCard(db.read, customer)
  const card = cards.find(({ isDefault }) => isDefault)?.id
  if (before !== undefined && card !== undefined && card !== before) await moveSubscriptions(stripe, customer, card)
}

async function moveSubscriptions(stripe: Stripe, customer: string, card: string) {
  for await (const { id, status, default_payment_method } of stripe.subscriptions.list({ customer, limit: CARD_LIMIT }))
    if (status !== 'incomplete_expired' && default_payment_method && stripeId(default_payment_method) !== card)
      await stripe.subscriptions.update(id, { default_payment_method: card })
}

async function readCards(stripe: Stripe, id: string) {
  const customer = await findStripeCustomer(stripe, id)
  return customer ? readCardsOf(stripe, customer) : []
}

/** Reads a customer's cards; when Stripe has no default card, the newest becomes it. */
export async function readCardsOf(stripe: Stripe, customer: Stripe.Customer) {
  const { id } = customer
  const { data } = await stripe.customers.listPaymentMethods(id, { type: 'card', limit: CARD_LIMIT })
  const [newest] = data
  const chosen = stripeId(customer.invoice_settings.default_payment_method)
  const isKnown = data.some((method) => method.id === chosen)
  if (newest && !isKnown) await setDefaultCard(stripe, id, newest.id)
  const standard = isKnown ? chosen : newest?.id
  return data.flatMap((method) => (method.card ? [toCardRow(method.id, method.card, method.id === standard)] : []))
}

/** The customer; null when Stripe does not know it or has deleted it. */
export async function findStripeCustomer(stripe: Stripe, id: string) {
  try {
    const customer = await stripe.customers.retrieve(id)
    return customer.deleted ? null : customer
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const setDefaultCard = (stripe: Stripe, customer: string, card: string) =>
  stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })

const toCardRow = (id: string, { brand, last4, exp_month, exp_year }: Stripe.PaymentMethod.Card, isDefault: boolean): StripeCard => ({
  id,
  brand,
  last4,
  expMonth: exp_month,
  expYear: exp_year,
  isDefault,
})
