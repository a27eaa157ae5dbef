import type Stripe from 'stripe'
import { type Expiry, findTestCard } from '#server/mock/stripe/api/cards.ts'
import { createProvider, findCustomer, nowInSeconds, type Provider, type ProviderPorts } from '#server/mock/stripe/api/provider.ts'
import {
  type AddCardResult,
  addCard,
  confirmAddedCard,
  findPortalFeatures,
  listPortalCards,
  listPortalSubscriptions,
  type PortalCard,
  type PortalFeatures,
  type PortalSubscription,
  setCancelAtPeriodEnd,
} from '#server/mock/stripe/billing/billing-portal.ts'
import {
  applyPayment,
  confirmInvoicePayment,
  disputeInvoice,
  findFinalizedInvoice,
  type InvoicePayment,
  payInvoice,
  refundInvoice,
} from '#server/mock/stripe/billing/invoice-payments.ts'
import { type CheckoutPayment, confirmCheckoutPayment, findCheckoutSession, payCheckout } from '#server/mock/stripe/checkout/checkout.ts'
import { answerPaymentIntent } from '#server/mock/stripe/payments/payment-intents.ts'
import { answerSetupIntent } from '#server/mock/stripe/payments/setup-intents.ts'
import { findNextDue, renewNow, runDue } from './due-work.ts'
import { createPayments, type Payments, stripeId } from './port.ts'
import { createStripeFetch } from './stripe-fetch.ts'
import { createEndpointSender, type EndpointSender, type EndpointSenderPorts } from './webhook-endpoints.ts'

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

type RenewalResult = NonNullable<ReturnType<typeof renewNow>>

export type StripeFake = {
  /** The official SDK, connected to this fake. */
  payments: Payments
  fetch: typeof fetch
  /** Resolves once the test account has its initial data. */
  ready(): Promise<void>
  findSession(id: string): Stripe.Checkout.Session | undefined
  listLineItems(sessionId: string): readonly Stripe.LineItem[]
  findPortalSession(id: string): Stripe.BillingPortal.Session | undefined
  pay(sessionId: string, cardNumber: string, expiry?: Expiry): CheckoutPayment
  confirmPayment(sessionId: string, isOwner: boolean): CheckoutPayment
  /** A finalized invoice; drafts have no page. */
  findInvoice(id: string): Stripe.Invoice | undefined
  /** The taxes of an invoice with their rates. */
  listInvoiceTaxes(invoice: Stripe.Invoice): { rate: Stripe.TaxRate; amount: number }[]
  customerLocale(customer: Stripe.Invoice['customer']): string | null
  payInvoice(id: string, cardNumber: string, expiry?: Expiry): InvoicePayment
  confirmInvoicePayment(id: string, isOwner: boolean): InvoicePayment
  /** A payment or setup intent. */
  findIntent(id: string): Intent | undefined
  /** Answers the bank's request for confirmation of an intent; other states are unchanged. */
  answerIntent(id: string, isOwner: boolean): Intent | undefined
  /** Whether a page of this account has the id. */
  hasPage(id: string): boolean
  addCard(portalSessionId: string, cardNumber: string, expiry?: Expiry): AddCardResult | undefined
  confirmAddedCard(portalSessionId: string, isOwner: boolean): AddCardResult | undefined
  findPortalFeatures(portalSessionId: string): PortalFeatures
  listPortalCards(portalSessionId: string): readonly PortalCard[]
  listPortalSubscriptions(portalSessionId: string): readonly PortalSubscription[]
  setCancelAtPeriodEnd(portalSessionId: string, subscription: string, isEnding: boolean): void
  /** Renews a subscription now, charging as if its card were the given one; undefined for an unknown subscription or one without a card. */
  renewNow(subscription: string, cardNumber: string): RenewalResult | undefined
  /** Refunds a part of an invoice's payment, or all of it; undefined if nothing was paid. */
  refundInvoice(id: string, amount?: number): Stripe.Charge | undefined
  /** The card holder disputes the payment of an invoice, or the bank decides. */
  disputeInvoice(id: string, outcome: 'open' | 'won' | 'lost'): Stripe.Dispute | undefined
  setOrigin(origin: string): void
  /** When the next renewal, retry or expiry is due; null when there is none. */
  nextDue(): Promise<Date | null>
  /** Runs everything due until then, each at its own instant. */
  runUntil(to: Date): Promise<void>
  /** Pins the clock of this fake to `now` while `work` runs. */
  runAt<T>(now: Date, work: () => Promise<T>): Promise<T>
  events: readonly Stripe.Event[]
  /** Returns the events since the previous call. */
  takeEvents(): readonly Stripe.Event[]
  createEndpointSender(ports: EndpointSenderPorts): EndpointSender
  /** Serializes and signs an event with the current time, as Stripe does for each delivery. */
  sign(event: Stripe.Event): { payload: string; signature: string }
}

/** Inserts the initial data into a new test account; runs once, before the first response. */
type LoadAccount = (provider: Provider) => Promise<void>

const DEFAULT_EXPIRY: Expiry = { month: 12, year: 2034 }
/** The key of every account in process; over HTTP each world has a key of its own. */
export const SECRET_KEY = 'sk_test_whereabouts'
const PUBLIC_KEY = 'pk_test_whereabouts'
const WEBHOOK_SECRET = 'whsec_whereabouts'

/** Creates a Stripe test account in process, one per world. */
export function createStripeFake(ports: ProviderPorts, fill: LoadAccount = async () => {}): StripeFake {
  const provider = createProvider(ports)
  provider.onPayment = (intent) => applyPayment(provider, intent)
  let filled: Promise<void> | undefined
  const ready = () => (filled ??= fill(provider))
  let taken = 0
  const findIntent = (id: string): Intent | undefined => provider.paymentIntents.get(id) ?? provider.setupIntents.get(id)
  const fetch = createStripeFetch(provider, SECRET_KEY, ready)
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
    findSession: (id) => findCheckoutSession(provider, id),
    listLineItems: (id) => provider.lines.get(id) ?? [],
    findPortalSession: (id) => provider.portalSessions.get(id),
    pay: (id, cardNumber, expiry = DEFAULT_EXPIRY) => payCheckout(provider, id, cardNumber, expiry),
    confirmPayment: (id, isOwner) => confirmCheckoutPayment(provider, id, isOwner),
    findInvoice: (id) => findFinalizedInvoice(provider, id),
    listInvoiceTaxes: ({ total_taxes }) =>
      (total_taxes ?? []).flatMap(({ amount, tax_rate_details }) => {
        const rate = provider.taxRates.get(tax_rate_details?.tax_rate ?? '')
        return rate ? [{ rate, amount }] : []
      }),
    customerLocale: (customer) => findCustomer(provider, stripeId(customer) ?? '')?.preferred_locales?.[0] ?? null,
    payInvoice: (id, cardNumber, expiry = DEFAULT_EXPIRY) => payInvoice(provider, id, cardNumber, expiry),
    confirmInvoicePayment: (id, isOwner) => confirmInvoicePayment(provider, id, isOwner),
    findIntent,
    answerIntent(id, isOwner) {
      const intent = findIntent(id)
      if (!intent) return undefined
      return intent.object === 'payment_intent'
        ? answerPaymentIntent(provider, intent, isOwner)
        : answerSetupIntent(provider, intent, isOwner)
    },
    hasPage: (id) =>
      [provider.sessions, provider.invoices, provider.portalSessions].some((known) => known.has(id)) || findIntent(id) !== undefined,
    addCard: (id, cardNumber, expiry = DEFAULT_EXPIRY) => addCard(provider, id, cardNumber, expiry),
    confirmAddedCard: (id, isOwner) => confirmAddedCard(provider, id, isOwner),
    findPortalFeatures: (id) => findPortalFeatures(provider, id),
    listPortalCards: (id) => listPortalCards(provider, id),
    listPortalSubscriptions: (id) => listPortalSubscriptions(provider, id),
    setCancelAtPeriodEnd: (id, subscription, isEnding) => setCancelAtPeriodEnd(provider, id, subscription, isEnding),
    renewNow: (id, cardNumber) => renewNow(provider, id, findTestCard(cardNumber)!),
    refundInvoice: (id, amount) => refundInvoice(provider, id, amount),
    disputeInvoice: (id, outcome) => disputeInvoice(provider, id, outcome),
    setOrigin(origin) {
      provider.origin = origin
    },
    async nextDue() {
      await ready()
      const due = findNextDue(provider)
      return due ? new Date(due.at * 1000) : null
    },
    async runUntil(to) {
      await ready()
      runDue(provider, Math.floor(to.getTime() / 1000))
    },
    async runAt(now, work) {
      provider.pinnedTime = now
      try {
        return await work()
      } finally {
        provider.pinnedTime = null
      }
    },
    events: provider.events,
    takeEvents() {
      const events = provider.events.slice(taken)
      taken = provider.events.length
      return events
    },
    createEndpointSender: (ports) => createEndpointSender(provider, ports),
    sign(event) {
      const payload = JSON.stringify(event)
      const timestamp = nowInSeconds(provider)
      return { payload, signature: payments.stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp }) }
    },
  }
}
