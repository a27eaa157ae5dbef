import type Stripe from 'stripe'
import { createPayments, idOf, type Payments } from '#server/ports/payments.ts'
import { type AddedCard, addCard, answerSetUp, cardsShown } from './add-card.ts'
import { providerFetch } from './answer.ts'
import { findCard } from './cards.ts'
import { findSession } from './checkout-endpoints.ts'
import { answerChallenge, type Payment, pay } from './pay.ts'
import { answerHosted, type HostedPayment, payHosted, sentInvoice } from './pay-hosted-invoice.ts'
import type { Expiry } from './payment-method.ts'
import type { ShownCard, ShownSubscription } from './portal-page.ts'
import { endWithPeriod, subscriptionsShown } from './portal-subscriptions.ts'
import { createProvider, liveCustomer, type Provider, type ProviderPorts, secondsNow } from './provider.ts'
import { nextDue, runDue } from './renew.ts'
import { renewNow } from './renew-now.ts'

type Renewed = NonNullable<ReturnType<typeof renewNow>>

export type StripeFake = {
  /** The official SDK, talking to this fake. */
  payments: Payments
  /** The same without the SDK. */
  fetch: typeof fetch
  /** Until the account holds what it is to hold. */
  ready(): Promise<void>
  session(id: string): Stripe.Checkout.Session | undefined
  linesOf(sessionId: string): readonly Stripe.LineItem[]
  portalSession(id: string): Stripe.BillingPortal.Session | undefined
  pay(sessionId: string, cardNumber: string, expiry?: Expiry): Payment
  /** Answers the question whether it is the card's owner who pays. */
  answer(sessionId: string, isOwner: boolean): Payment
  /** An invoice that was sent, as its page shows it. */
  invoice(id: string): Stripe.Invoice | undefined
  /** The language in which a customer is spoken to, as far as it is known. */
  localeOf(customer: Stripe.Invoice['customer']): string | null
  payInvoice(id: string, cardNumber: string, expiry?: Expiry): HostedPayment
  answerInvoice(id: string, isOwner: boolean): HostedPayment
  /** Adds a card in the billing portal; undefined for a session that is unknown. */
  addCard(portalSessionId: string, cardNumber: string, expiry?: Expiry): AddedCard | undefined
  answerSetUp(portalSessionId: string, isOwner: boolean): AddedCard | undefined
  cardsShown(portalSessionId: string): readonly ShownCard[]
  subscriptionsShown(portalSessionId: string): readonly ShownSubscription[]
  endWithPeriod(portalSessionId: string, subscription: string, isEnding: boolean): void
  /** Charges the next period of a subscription now, as if with that card; undefined for one that is unknown or has no card. */
  renew(subscription: string, cardNumber: string): Renewed | undefined
  /** From now on the hosted pages are at that origin. */
  moveTo(origin: string): void
  /** The instant at which time brings something about by itself; null when nothing is in sight. */
  nextDue(): Promise<Date | null>
  /** Does what time brings about until then, each thing at its instant. */
  runUntil(to: Date): Promise<void>
  /** While `work` goes on it is that time here, whatever the world's clock says. */
  at<T>(now: Date, work: () => Promise<T>): Promise<T>
  /** Everything that happened, oldest first. */
  events: readonly Stripe.Event[]
  /** What happened since it was last asked. */
  takeEvents(): readonly Stripe.Event[]
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
  const ready = () => (filled ??= fill(provider))
  let taken = 0
  const fetch = providerFetch(provider, SECRET_KEY, ready)
  const payments = createPayments({
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    webhookSecret: WEBHOOK_SECRET,
    fetch,
  })
  return {
    payments,
    fetch,
    ready,
    session: (id) => findSession(provider, id),
    linesOf: (id) => provider.lines.get(id) ?? [],
    portalSession: (id) => provider.portals.get(id),
    pay: (id, cardNumber, expiry = GOOD_UNTIL) => pay(provider, id, cardNumber, expiry),
    answer: (id, isOwner) => answerChallenge(provider, id, isOwner),
    invoice: (id) => sentInvoice(provider, id),
    localeOf: (customer) => liveCustomer(provider, idOf(customer) ?? '')?.preferred_locales?.[0] ?? null,
    payInvoice: (id, cardNumber, expiry = GOOD_UNTIL) => payHosted(provider, id, cardNumber, expiry),
    answerInvoice: (id, isOwner) => answerHosted(provider, id, isOwner),
    addCard: (id, cardNumber, expiry = GOOD_UNTIL) => addCard(provider, id, cardNumber, expiry),
    answerSetUp: (id, isOwner) => answerSetUp(provider, id, isOwner),
    cardsShown: (id) => cardsShown(provider, id),
    subscriptionsShown: (id) => subscriptionsShown(provider, id),
    endWithPeriod: (id, subscription, isEnding) => endWithPeriod(provider, id, subscription, isEnding),
    renew: (id, cardNumber) => renewNow(provider, id, findCard(cardNumber)!),
    moveTo(origin) {
      provider.origin = origin
    },
    async nextDue() {
      await ready()
      const due = nextDue(provider)
      return due ? new Date(due.at * 1000) : null
    },
    async runUntil(to) {
      await ready()
      runDue(provider, Math.floor(to.getTime() / 1000))
    },
    async at(now, work) {
      provider.pinned = now
      try {
        return await work()
      } finally {
        provider.pinned = null
      }
    },
    events: provider.events,
    takeEvents() {
      const events = provider.events.slice(taken)
      taken = provider.events.length
      return events
    },
    sign(event) {
      const payload = JSON.stringify(event)
      const timestamp = secondsNow(provider)
      return { payload, signature: payments.stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp }) }
    },
  }
}
