import type Stripe from 'stripe'
import { type CardFault, cardFault } from './cards.ts'
import { findSession, keep } from './checkout-endpoints.ts'
import { record } from './event.ts'
import { keepInvoice } from './invoice.ts'
import { type Expiry, hasExpired, keepCard, typedCard } from './payment-method.ts'
import { newId, type Provider, secondsNow } from './provider.ts'
import { keepSubscription, periodEnd } from './subscription.ts'

export type Payment =
  | { outcome: 'paid'; session: Stripe.Checkout.Session; event: Stripe.Event; events: readonly Stripe.Event[] }
  | { outcome: 'refused'; session: Stripe.Checkout.Session; fault: CardFault }
  | { outcome: 'closed'; session: Stripe.Checkout.Session | undefined }

/** Pays an open session by card. One that is complete or expired stays as it is. */
export function pay(provider: Provider, id: string, number: string, expiry: Expiry): Payment {
  const session = findSession(provider, id)
  if (session?.status !== 'open') return { outcome: 'closed', session }
  const fault = cardFault(number) ?? (hasExpired(provider, expiry) ? 'expired_card' : null)
  if (fault) return { outcome: 'refused', session, fault }
  const card = session.mode === 'subscription' ? keepCardOf(provider, session, number, expiry) : null
  const bought = resultOf(provider, session, card)
  const paid = keep(provider, { ...session, ...bought, status: 'complete', payment_status: 'paid', url: null })
  const attached = card ? [record(provider, 'payment_method.attached', card)] : []
  const event = record(provider, 'checkout.session.completed', paid)
  return { outcome: 'paid', session: paid, event, events: [...attached, event] }
}

/** A card that pays again and again is kept; one that pays once is not. */
function keepCardOf(provider: Provider, { customer }: Stripe.Checkout.Session, number: string, expiry: Expiry) {
  return typeof customer === 'string' ? keepCard(provider, typedCard(number, expiry, customer)) : null
}

function resultOf(provider: Provider, session: Stripe.Checkout.Session, card: Stripe.PaymentMethod | null) {
  const lines = provider.lines.get(session.id) ?? []
  const created = secondsNow(provider)
  const currency = session.currency ?? 'eur'
  const customer = typeof session.customer === 'string' ? session.customer : null
  const amount = session.amount_total ?? 0
  const sold = lines.map((line) => ({ label: line.description ?? '', amount: line.amount_total }))
  const isBilled = session.mode === 'subscription' || session.invoice_creation?.enabled
  const invoice = isBilled ? keepInvoice(provider, { customer, created, currency, amount, balance: 0, attempts: 1, lines: sold }).id : null
  if (session.mode !== 'subscription' || !customer) return { invoice, payment_intent: newId(provider, 'pi') }
  const items = lines.flatMap(({ price }) => (price?.recurring ? [{ price, end: periodEnd(created, price.recurring) }] : []))
  const terms = { customer, currency, start: created, card: card?.id ?? null, metadata: session.metadata ?? {} }
  return { invoice, subscription: keepSubscription(provider, { ...terms, invoice, items }).id }
}
