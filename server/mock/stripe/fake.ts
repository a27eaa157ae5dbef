import type Stripe from 'stripe'
import { createPayments, type Payments } from '#server/lib/payments.ts'
import { type AddedCard, addCard, cardsShown } from './add-card.ts'
import { providerFetch } from './answer.ts'
import { findSession } from './checkout-endpoints.ts'
import { type Payment, pay } from './pay.ts'
import type { Expiry } from './payment-method.ts'
import type { ShownCard } from './portal-page.ts'
import { createProvider, type Provider, type ProviderPorts, secondsNow } from './provider.ts'

export type StripeFake = {
  /** The official SDK, talking to this fake. */
  payments: Payments
  session(id: string): Stripe.Checkout.Session | undefined
  linesOf(sessionId: string): readonly Stripe.LineItem[]
  portalSession(id: string): Stripe.BillingPortal.Session | undefined
  pay(sessionId: string, cardNumber: string, expiry?: Expiry): Payment
  /** Adds a card in the billing portal; undefined for a session that is unknown. */
  addCard(portalSessionId: string, cardNumber: string, expiry?: Expiry): AddedCard | undefined
  cardsShown(portalSessionId: string): readonly ShownCard[]
  /** Everything that happened, oldest first. */
  events: readonly Stripe.Event[]
  /** An event as it goes over the wire, signed anew at the world's time as for each delivery. */
  sign(event: Stripe.Event): { payload: string; signature: string }
}

/** Puts into a new account what it is to hold; called once, before the first call is answered. */
type Filling = (provider: Provider) => Promise<void>

const GOOD_UNTIL: Expiry = { month: 12, year: 2034 }
const SECRET_KEY = 'sk_test_whereabouts'
const PUBLIC_KEY = 'pk_test_whereabouts'
const WEBHOOK_SECRET = 'whsec_whereabouts'

/** A card provider of this world's own, in process: the official SDK talks to it without a socket. */
export function createStripeFake(ports: ProviderPorts, fill: Filling = async () => {}): StripeFake {
  const provider = createProvider(ports)
  let filled: Promise<void> | undefined
  const payments = createPayments({
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    webhookSecret: WEBHOOK_SECRET,
    fetch: providerFetch(provider, SECRET_KEY, () => (filled ??= fill(provider))),
  })
  return {
    payments,
    session: (id) => findSession(provider, id),
    linesOf: (id) => provider.lines.get(id) ?? [],
    portalSession: (id) => provider.portals.get(id),
    pay: (id, cardNumber, expiry = GOOD_UNTIL) => pay(provider, id, cardNumber, expiry),
    addCard: (id, cardNumber, expiry = GOOD_UNTIL) => addCard(provider, id, cardNumber, expiry),
    cardsShown: (id) => cardsShown(provider, id),
    events: provider.events,
    sign(event) {
      const payload = JSON.stringify(event)
      const timestamp = secondsNow(provider)
      return { payload, signature: payments.stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp }) }
    },
  }
}
