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
  /** The official SDK, connected to this fake. */
  payments: Payments
  /** The same API without the SDK. */
  fetch: typeof fetch
  /** Resolves once the test account has its initial data. */
  ready(): Promise<void>
  session(id: string): Stripe.Checkout.Session | undefined
  linesOf(sessionId: string): readonly Stripe.LineItem[]
  portalSession(id: string): Stripe.BillingPortal.Session | undefined
  pay(sessionId: string, cardNumber: string, expiry?: Expiry): Payment
  /** Answers the bank's confirmation (3-D Secure) of a checkout. */
  answer(sessionId: string, isOwner: boolean): Payment
  /** A finalized invoice; drafts have no page. */
  invoice(id: string): Stripe.Invoice | undefined
  /** Null when the customer has no preferred language. */
  localeOf(customer: Stripe.Invoice['customer']): string | null
  payInvoice(id: string, cardNumber: string, expiry?: Expiry): HostedPayment
  answerInvoice(id: string, isOwner: boolean): HostedPayment
  /** Adds a card in the billing portal; undefined for an unknown portal session. */
  addCard(portalSessionId: string, cardNumber: string, expiry?: Expiry): AddedCard | undefined
  answerSetUp(portalSessionId: string, isOwner: boolean): AddedCard | undefined
  cardsShown(portalSessionId: string): readonly ShownCard[]
  subscriptionsShown(portalSessionId: string): readonly ShownSubscription[]
  endWithPeriod(portalSessionId: string, subscription: string, isEnding: boolean): void
  /** Renews a subscription now, charging as if its card were the given one; undefined for an unknown subscription or one without a card. */
  renew(subscription: string, cardNumber: string): Renewed | undefined
  /** Changes the origin of the hosted pages. */
  moveTo(origin: string): void
  /** When the next renewal, retry or expiry is due; null when there is none. */
  nextDue(): Promise<Date | null>
  /** Runs everything that is due until then, each at its own instant. */
  runUntil(to: Date): Promise<void>
  /** Pins the clock of this fake to `now` while `work` runs. */
  at<T>(now: Date, work: () => Promise<T>): Promise<T>
  /** All events, oldest first. */
  events: readonly Stripe.Event[]
  /** Returns the events since the previous call. */
  takeEvents(): readonly Stripe.Event[]
  /** Serializes and signs an event with the current time, as Stripe does for each delivery. */
  sign(event: Stripe.Event): { payload: string; signature: string }
}

/** Puts the initial data into a new test account; runs once, before the first request is answered. */
type Filling = (provider: Provider) => Promise<void>

const GOOD_UNTIL: Expiry = { month: 12, year: 2034 }
const SECRET_KEY = 'sk_test_whereabouts'
const PUBLIC_KEY = 'pk_test_whereabouts'
const WEBHOOK_SECRET = 'whsec_whereabouts'

/** Creates a Stripe test account in process, one per world. */
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
