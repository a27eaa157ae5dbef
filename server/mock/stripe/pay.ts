import type Stripe from 'stripe'
import { type CardFault, cardFault } from './cards.ts'
import { findSession, keep } from './checkout-endpoints.ts'
import { newId, type Provider, secondsNow } from './provider.ts'

export type Payment =
  | { outcome: 'paid'; session: Stripe.Checkout.Session; event: Stripe.Event }
  | { outcome: 'refused'; session: Stripe.Checkout.Session; fault: CardFault }
  | { outcome: 'closed'; session: Stripe.Checkout.Session | undefined }

/** Pays an open session by card. One that is complete or expired stays as it is. */
export function pay(provider: Provider, id: string, cardNumber: string): Payment {
  const session = findSession(provider, id)
  if (session?.status !== 'open') return { outcome: 'closed', session }
  const fault = cardFault(cardNumber)
  if (fault) return { outcome: 'refused', session, fault }
  const paid = keep(provider, { ...session, ...resultOf(provider, session), status: 'complete', payment_status: 'paid', url: null })
  const event = completed(provider, paid)
  provider.events.push(event)
  return { outcome: 'paid', session: paid, event }
}

const resultOf = (provider: Provider, { mode }: Stripe.Checkout.Session) => ({
  invoice: newId(provider, 'in'),
  ...(mode === 'subscription' ? { subscription: newId(provider, 'sub') } : { payment_intent: newId(provider, 'pi') }),
})

const completed = (provider: Provider, session: Stripe.Checkout.Session): Stripe.CheckoutSessionCompletedEvent => ({
  id: newId(provider, 'evt'),
  object: 'event',
  api_version: '2026-10-28.endive',
  created: secondsNow(provider),
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: 'checkout.session.completed',
  data: { object: session },
})
