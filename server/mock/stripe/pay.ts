import type Stripe from 'stripe'
import { type CardFault, findTestCard, type TestCard } from './cards.ts'
import { findCheckoutSession, saveCheckoutSession } from './checkout-endpoints.ts'
import { recordEvent } from './event.ts'
import { saveInvoice } from './invoice.ts'
import { buildSavedCard, type Expiry, hasExpired, savePaymentMethod } from './payment-method.ts'
import { createId, nowInSeconds, type Provider } from './provider.ts'
import { periodEnd, saveSubscription } from './subscription.ts'

export type CheckoutPayment =
  | { outcome: 'paid'; session: Stripe.Checkout.Session; event: Stripe.Event; events: readonly Stripe.Event[] }
  | { outcome: 'refused'; session: Stripe.Checkout.Session; fault: CardFault }
  /** The bank wants confirmation first. */
  | { outcome: 'asked'; session: Stripe.Checkout.Session }
  | { outcome: 'closed'; session: Stripe.Checkout.Session | undefined }

/** Pays an open session by card. A complete or expired session is left unchanged. */
export function payCheckout(provider: Provider, id: string, number: string, expiry: Expiry): CheckoutPayment {
  const session = findCheckoutSession(provider, id)
  if (session?.status !== 'open') return { outcome: 'closed', session }
  const card = findTestCard(number)
  if (!card) return { outcome: 'refused', session, fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', session, fault: 'expired_card' }
  if (card.asks === 'never') return chargeSession(provider, session, card, expiry)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked', session }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function confirmCheckoutPayment(provider: Provider, id: string, isOwner: boolean): CheckoutPayment {
  const session = findCheckoutSession(provider, id)
  const asked = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (session?.status !== 'open' || !asked) return { outcome: 'closed', session }
  return isOwner
    ? chargeSession(provider, session, asked.card, asked.expiry)
    : { outcome: 'refused', session, fault: 'authentication_failed' }
}

function chargeSession(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry): CheckoutPayment {
  if (card.fault) return { outcome: 'refused', session, fault: card.fault }
  const since = provider.events.length
  const bought = fulfilSession(provider, session, card, expiry)
  const paid = saveCheckoutSession(provider, { ...session, ...bought, status: 'complete', payment_status: 'paid', url: null })
  const event = recordEvent(provider, 'checkout.session.completed', paid)
  return { outcome: 'paid', session: paid, event, events: provider.events.slice(since) }
}

function fulfilSession(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry) {
  const customer = typeof session.customer === 'string' ? session.customer : null
  if (session.mode === 'subscription' && customer)
    return startSubscription(provider, session, customer, saveRecurringCard(provider, customer, card, expiry))
  const invoice = session.invoice_creation?.enabled ? saveCheckoutInvoice(provider, session, customer) : null
  return { invoice: invoice?.id ?? null, payment_intent: createId(provider, 'pi') }
}

/** Saves the card and sets it up for later charges; only subscriptions need that. */
function saveRecurringCard(provider: Provider, customer: string, card: TestCard, expiry: Expiry) {
  const method = savePaymentMethod(provider, buildSavedCard(card, expiry, customer))
  provider.setUpCards.add(method.id)
  recordEvent(provider, 'payment_method.attached', method)
  return method
}

function startSubscription(provider: Provider, session: Stripe.Checkout.Session, customer: string, card: Stripe.PaymentMethod) {
  const start = nowInSeconds(provider)
  const lines = provider.lines.get(session.id) ?? []
  const id = createId(provider, 'sub')
  const invoice = saveCheckoutInvoice(provider, session, customer, id)
  const items = lines.flatMap(({ price }) => (price?.recurring ? [{ price, end: periodEnd(start, price.recurring) }] : []))
  const metadata = session.metadata ?? {}
  const terms = {
    id,
    customer,
    currency: session.currency ?? 'eur',
    start,
    card: card.id,
    invoice: invoice.id,
    metadata,
    items,
    description: provider.descriptions.get(session.id) ?? null,
  }
  recordEvent(provider, 'customer.subscription.created', saveSubscription(provider, terms))
  return { invoice: invoice.id, subscription: id }
}

function saveCheckoutInvoice(
  provider: Provider,
  { id, currency, amount_total }: Stripe.Checkout.Session,
  customer: string | null,
  subscription?: string,
) {
  const sold = provider.lines.get(id) ?? []
  const invoice = saveInvoice(provider, {
    customer,
    ...(subscription && { subscription, reason: 'subscription_create' as const }),
    created: nowInSeconds(provider),
    currency: currency ?? 'eur',
    amount: amount_total ?? 0,
    balance: 0,
    attempts: 1,
    lines: sold.map((line) => ({ label: line.description ?? '', amount: line.amount_total })),
  })
  recordEvent(provider, 'invoice.paid', invoice)
  return invoice
}
