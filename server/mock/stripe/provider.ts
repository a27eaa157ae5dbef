import type Stripe from 'stripe'
import type { Clock } from '#server/lib/clock.ts'
import type { Ids } from '#server/lib/ids.ts'

/** Everything one test account at the provider holds. */
export type Provider = {
  clock: Clock
  ids: Ids
  /** Origin of the hosted pages. */
  origin: string
  customers: Map<string, Stripe.Customer | Stripe.DeletedCustomer>
  sessions: Map<string, Stripe.Checkout.Session>
  lines: Map<string, Stripe.LineItem[]>
  portals: Map<string, Stripe.BillingPortal.Session>
  methods: Map<string, Stripe.PaymentMethod>
  invoices: Map<string, Stripe.Invoice>
  subscriptions: Map<string, Stripe.Subscription>
  events: Stripe.Event[]
}

export type ProviderPorts = Pick<Provider, 'clock' | 'ids' | 'origin'>

export const createProvider = (ports: ProviderPorts): Provider => ({
  ...ports,
  customers: new Map(),
  sessions: new Map(),
  lines: new Map(),
  portals: new Map(),
  methods: new Map(),
  invoices: new Map(),
  subscriptions: new Map(),
  events: [],
})

export const newId = ({ ids }: Provider, prefix: string) => `${prefix}_test_${ids.uuid().replaceAll('-', '')}`

/** The world's time as the provider writes it: seconds since 1970. */
export const secondsNow = ({ clock }: Provider) => Math.floor(clock.now().getTime() / 1000)

export const PAGES = '/mock/stripe'
