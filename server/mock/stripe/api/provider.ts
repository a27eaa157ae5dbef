import type Stripe from 'stripe'
import type { Clock, Ids } from '#server/mock/stripe/port.ts'
import type { Expiry, TestCard } from './cards.ts'

/** A payment that waits for the bank's confirmation (3-D Secure). */
export type Challenge = { card: TestCard; expiry: Expiry }

/** `secret` signs the events; Stripe returns it only when the endpoint is created. */
export type WebhookEndpoint = { endpoint: Stripe.WebhookEndpoint; secret: string }

/** A request to the API; `isPortal` if the portal of the same world made it. */
export type ApiCaller = { id: string; idempotencyKey: string | null; isPortal: boolean; version: string }

export type Provider = {
  clock: Clock
  /** Overrides the world's clock while due work runs at its own instant. */
  pinnedTime: Date | null
  ids: Ids
  origin: string
  customers: Map<string, Stripe.Customer | Stripe.DeletedCustomer>
  products: Map<string, Stripe.Product>
  prices: Map<string, Stripe.Price>
  taxRates: Map<string, Stripe.TaxRate>
  sessions: Map<string, Stripe.Checkout.Session>
  lines: Map<string, Stripe.LineItem[]>
  /** Descriptions for the subscriptions and payments that checkout sessions create, by session. */
  descriptions: Map<string, string>
  /** Metadata of the subscriptions and payment intents that checkout sessions create, by session. */
  paidMetadata: Map<string, Stripe.Metadata>
  portalConfigurations: Map<string, Stripe.BillingPortal.Configuration>
  portalSessions: Map<string, Stripe.BillingPortal.Session>
  methods: Map<string, Stripe.PaymentMethod>
  setUpCards: Set<string>
  setupIntents: Map<string, Stripe.SetupIntent>
  paymentIntents: Map<string, Stripe.PaymentIntent>
  charges: Map<string, Stripe.Charge>
  refunds: Map<string, Stripe.Refund>
  disputes: Map<string, Stripe.Dispute>
  invoices: Map<string, Stripe.Invoice>
  invoiceItems: Map<string, Stripe.InvoiceItem>
  /** The payment intent of each finalized invoice, by invoice. */
  invoicePayments: Map<string, string>
  /** Applies the result of a payment to its invoice. */
  onPayment: (intent: Stripe.PaymentIntent) => void
  subscriptions: Map<string, Stripe.Subscription>
  testClocks: Map<string, Stripe.TestHelpers.TestClock>
  webhookEndpoints: Map<string, WebhookEndpoint>
  /** Pending confirmations, by checkout session, invoice or portal session. */
  challenges: Map<string, Challenge>
  events: Stripe.Event[]
  /** The request in progress; null for automatic work and actions on a page. */
  caller: ApiCaller | null
}

export type ProviderPorts = Pick<Provider, 'clock' | 'ids' | 'origin'>

export function createProvider({ clock, ids, origin }: ProviderPorts): Provider {
  const provider: Provider = { ...createEmptyState(), clock: { now: () => provider.pinnedTime ?? clock.now() }, ids, origin }
  return provider
}

const createEmptyState = (): Omit<Provider, keyof ProviderPorts> => ({
  pinnedTime: null,
  customers: new Map(),
  products: new Map(),
  prices: new Map(),
  taxRates: new Map(),
  sessions: new Map(),
  lines: new Map(),
  descriptions: new Map(),
  paidMetadata: new Map(),
  portalConfigurations: new Map(),
  portalSessions: new Map(),
  methods: new Map(),
  setUpCards: new Set(),
  setupIntents: new Map(),
  paymentIntents: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  invoices: new Map(),
  invoiceItems: new Map(),
  invoicePayments: new Map(),
  onPayment: () => {},
  subscriptions: new Map(),
  testClocks: new Map(),
  webhookEndpoints: new Map(),
  challenges: new Map(),
  events: [],
  caller: null,
})

export const createId = ({ ids }: Provider, prefix: string) => `${prefix}_test_${ids.uuid().replaceAll('-', '')}`

/** The world's time in seconds since 1970, as Stripe writes it. */
export const nowInSeconds = ({ clock }: Provider) => Math.floor(clock.now().getTime() / 1000)

export const PAGES_PATH = '/mock/stripe'

/** Runs work at the time of the customer: that of its test clock, or of the account. */
export function runAtTimeOf<T>(provider: Provider, customer: string, work: () => T): T {
  const clock = provider.testClocks.get(String(findCustomer(provider, customer)?.test_clock))
  if (!clock) return work()
  const before = provider.pinnedTime
  provider.pinnedTime = new Date(clock.frozen_time * 1000)
  try {
    return work()
  } finally {
    provider.pinnedTime = before
  }
}

/** The customer, unless it is deleted. */
export function findCustomer({ customers }: Provider, id: string): Stripe.Customer | undefined {
  const customer = customers.get(id)
  return customer?.deleted ? undefined : customer
}
