import type Stripe from 'stripe'
import { type CardFault, findCard, type TestCard } from './cards.ts'
import { findSession, keep } from './checkout-endpoints.ts'
import { record } from './event.ts'
import { keepInvoice } from './invoice.ts'
import { type Expiry, hasExpired, keepCard, typedCard } from './payment-method.ts'
import { newId, type Provider, secondsNow } from './provider.ts'
import { keepSubscription, periodEnd } from './subscription.ts'

export type Payment =
  | { outcome: 'paid'; session: Stripe.Checkout.Session; event: Stripe.Event; events: readonly Stripe.Event[] }
  | { outcome: 'refused'; session: Stripe.Checkout.Session; fault: CardFault }
  /** The bank wants confirmation first. */
  | { outcome: 'asked'; session: Stripe.Checkout.Session }
  | { outcome: 'closed'; session: Stripe.Checkout.Session | undefined }

/** Pays an open session by card. A complete or expired session is left unchanged. */
export function pay(provider: Provider, id: string, number: string, expiry: Expiry): Payment {
  const session = findSession(provider, id)
  if (session?.status !== 'open') return { outcome: 'closed', session }
  const card = findCard(number)
  if (!card) return { outcome: 'refused', session, fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', session, fault: 'expired_card' }
  if (card.asks === 'never') return charge(provider, session, card, expiry)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked', session }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function answerChallenge(provider: Provider, id: string, isOwner: boolean): Payment {
  const session = findSession(provider, id)
  const asked = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (session?.status !== 'open' || !asked) return { outcome: 'closed', session }
  return isOwner ? charge(provider, session, asked.card, asked.expiry) : { outcome: 'refused', session, fault: 'authentication_failed' }
}

function charge(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry): Payment {
  if (card.fault) return { outcome: 'refused', session, fault: card.fault }
  const since = provider.events.length
  const bought = resultOf(provider, session, card, expiry)
  const paid = keep(provider, { ...session, ...bought, status: 'complete', payment_status: 'paid', url: null })
  const event = record(provider, 'checkout.session.completed', paid)
  return { outcome: 'paid', session: paid, event, events: provider.events.slice(since) }
}

function resultOf(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry) {
  const customer = typeof session.customer === 'string' ? session.customer : null
  if (session.mode === 'subscription' && customer) return subscribe(provider, session, customer, keepFor(provider, customer, card, expiry))
  const invoice = session.invoice_creation?.enabled ? bill(provider, session, customer) : null
  return { invoice: invoice?.id ?? null, payment_intent: newId(provider, 'pi') }
}

/** Saves the card and sets it up for later charges; only subscriptions need that. */
function keepFor(provider: Provider, customer: string, card: TestCard, expiry: Expiry) {
  const method = keepCard(provider, typedCard(card, expiry, customer))
  provider.setUp.add(method.id)
  record(provider, 'payment_method.attached', method)
  return method
}

function subscribe(provider: Provider, session: Stripe.Checkout.Session, customer: string, card: Stripe.PaymentMethod) {
  const start = secondsNow(provider)
  const lines = provider.lines.get(session.id) ?? []
  const id = newId(provider, 'sub')
  const invoice = bill(provider, session, customer, id)
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
  record(provider, 'customer.subscription.created', keepSubscription(provider, terms))
  return { invoice: invoice.id, subscription: id }
}

function bill(provider: Provider, { id, currency, amount_total }: Stripe.Checkout.Session, customer: string | null, subscription?: string) {
  const sold = provider.lines.get(id) ?? []
  const invoice = keepInvoice(provider, {
    customer,
    ...(subscription && { subscription, reason: 'subscription_create' as const }),
    created: secondsNow(provider),
    currency: currency ?? 'eur',
    amount: amount_total ?? 0,
    balance: 0,
    attempts: 1,
    lines: sold.map((line) => ({ label: line.description ?? '', amount: line.amount_total })),
  })
  record(provider, 'invoice.paid', invoice)
  return invoice
}
