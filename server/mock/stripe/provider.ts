import type Stripe from 'stripe'
import type { Clock } from '#server/ports/clock.ts'
import type { Ids } from '#server/ports/ids.ts'
import type { TestCard } from './cards.ts'
import type { Expiry } from './payment-method.ts'

/** A card whose owner is asked whether it is them. */
export type Challenge = { card: TestCard; expiry: Expiry }

/** Everything one test account at the provider holds. */
export type Provider = {
  clock: Clock
  /** The instant at which something is done while time is played, whatever the world's clock says. */
  pinned: Date | null
  ids: Ids
  /** Origin of the hosted pages. */
  origin: string
  customers: Map<string, Stripe.Customer | Stripe.DeletedCustomer>
  products: Map<string, Stripe.Product>
  prices: Map<string, Stripe.Price>
  sessions: Map<string, Stripe.Checkout.Session>
  lines: Map<string, Stripe.LineItem[]>
  /** What a session calls the subscription that comes of it. */
  descriptions: Map<string, string>
  portalConfigurations: Map<string, Stripe.BillingPortal.Configuration>
  portals: Map<string, Stripe.BillingPortal.Session>
  methods: Map<string, Stripe.PaymentMethod>
  setUp: Set<string>
  setupIntents: Map<string, Stripe.SetupIntent>
  invoices: Map<string, Stripe.Invoice>
  subscriptions: Map<string, Stripe.Subscription>
  testClocks: Map<string, Stripe.TestHelpers.TestClock>
  /** What is being paid while the owner of the card is asked, by session or invoice. */
  challenges: Map<string, Challenge>
  events: Stripe.Event[]
}

export type ProviderPorts = Pick<Provider, 'clock' | 'ids' | 'origin'>

export function createProvider({ clock, ids, origin }: ProviderPorts): Provider {
  const provider: Provider = { ...blank(), clock: { now: () => provider.pinned ?? clock.now() }, ids, origin }
  return provider
}

const blank = (): Omit<Provider, keyof ProviderPorts> => ({
  pinned: null,
  customers: new Map(),
  products: new Map(),
  prices: new Map(),
  sessions: new Map(),
  lines: new Map(),
  descriptions: new Map(),
  portalConfigurations: new Map(),
  portals: new Map(),
  methods: new Map(),
  setUp: new Set(),
  setupIntents: new Map(),
  invoices: new Map(),
  subscriptions: new Map(),
  testClocks: new Map(),
  challenges: new Map(),
  events: [],
})

export const newId = ({ ids }: Provider, prefix: string) => `${prefix}_test_${ids.uuid().replaceAll('-', '')}`

/** The world's time as the provider writes it: seconds since 1970. */
export const secondsNow = ({ clock }: Provider) => Math.floor(clock.now().getTime() / 1000)

export const PAGES = '/mock/stripe'

/** A customer that was made and not deleted. */
export function liveCustomer({ customers }: Provider, id: string): Stripe.Customer | undefined {
  const customer = customers.get(id)
  return customer?.deleted ? undefined : customer
}
