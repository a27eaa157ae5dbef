import type Stripe from 'stripe'
import type { DbReader } from '#db/db.ts'
import type { invoices, prices } from '#db/schema/commerce.ts'
import { stripeProductId } from '#server/billing/records/price-list.ts'
import { describeInvoice, describePayer, describePurchase } from '#server/billing/records/purchase-metadata.ts'
import { lineLabel } from '#server/billing/records/subscriptions.present.ts'
import {
  buildCustomer,
  buildPrice,
  type InvoiceFacts,
  nowInSeconds,
  type Provider,
  saveInvoice,
  savePaymentMethod,
  saveProduct,
  saveSubscription,
} from '#server/mock/stripe/index.ts'
import { listCards, listCustomers, listInvoices, listPrices, listRenewals, type Renewal } from './payments.store.ts'

type PriceRow = typeof prices.$inferSelect
type InvoiceRow = typeof invoices.$inferSelect

type Owner = { customer: string; createdAt: Date }

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * Rebuilds the test account from the database: customers with their cards, invoices and subscriptions. So seeded worlds can pay at once,
 * and the local world can after a restart.
 */
export async function loadFromDatabase(provider: Provider, db: DbReader) {
  for (const price of await listPrices(db)) addPrice(provider, price)
  const owners = await addCustomers(provider, db)
  for (const card of await listCards(db)) {
    const customer = owners.get(card.accountId)?.customer
    if (!customer) continue
    savePaymentMethod(provider, { ...card, customer })
    provider.setUpCards.add(card.id)
    if (card.isDefault) setDefaultCard(provider, customer, card.id)
  }
  const renewals = await listRenewals(db)
  addSubscriptions(provider, renewals, owners)
  for (const invoice of await listInvoices(db)) addInvoice(provider, invoice, owners.get(invoice.accountId)?.customer ?? null, renewals)
}

/** Adds a price in the form that `npm run stripe:sync` creates in a real catalogue. */
function addPrice(provider: Provider, { id, name, currency, unitAmount, taxBehavior, interval, intervalCount, isOffered }: PriceRow) {
  const product = saveProduct(provider, { id: stripeProductId(id), name, metadata: { price: id } }).id
  const recurring = interval && { interval, count: intervalCount ?? 1 }
  const facts = { id: `price_${id}`, created: nowInSeconds(provider), currency, amount: unitAmount, taxBehavior, product, recurring }
  provider.prices.set(facts.id, buildPrice({ ...facts, isActive: isOffered, lookupKey: id }))
}

async function addCustomers(provider: Provider, db: DbReader) {
  const owners = new Map<number, Owner>()
  for (const { id, accountId, createdAt, email, firstName, lastName, language } of await listCustomers(db)) {
    if (id === null || owners.has(accountId)) continue
    const metadata = describePayer({ accountId, createdAt })
    provider.customers.set(id, {
      ...buildCustomer(provider, id),
      email,
      name: `${firstName} ${lastName}`,
      metadata,
      preferred_locales: [language],
    })
    owners.set(accountId, { customer: id, createdAt })
  }
  return owners
}

function setDefaultCard(provider: Provider, id: string, card: string) {
  const customer = provider.customers.get(id)
  if (!customer || customer.deleted) return
  provider.customers.set(id, { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: card } })
}

function addInvoice(provider: Provider, invoice: InvoiceRow, customer: string | null, renewals: readonly Renewal[]) {
  const { providerId, date, status, currency, amount, balance, lines } = invoice
  const { item, ...renewal }: Partial<InvoiceRenewal> = resolveRenewal(provider, invoice, customer, renewals) ?? {}
  const { id } = saveInvoice(provider, {
    ...(providerId !== null && { id: providerId }),
    ...renewal,
    customer,
    created: toSeconds(date),
    currency,
    amount,
    balance,
    attempts: status === 'open' ? 0 : 1,
    metadata: describeInvoice(invoice),
    lines: lines.map(({ label, quantity, unit_amount }) => ({ label, amount: unit_amount * quantity, item })),
  })
  const renewed = provider.subscriptions.get(renewal.subscription ?? '')
  if (renewed) provider.subscriptions.set(renewed.id, { ...renewed, latest_invoice: id })
}
/** One Stripe subscription can renew several trackers. */
function addSubscriptions(provider: Provider, renewals: readonly Renewal[], owners: Map<number, Owner>) {
  for (const id of new Set(renewals.flatMap(({ subscription }) => subscription.providerId ?? []))) {
    const rows = renewals.filter(({ subscription }) => subscription.providerId === id)
    const [first] = rows
    const owner = first && owners.get(first.accountId)
    if (!first || !owner) continue
    const { startedAt, renewsAt, endsAt, status, isRecurring } = first.subscription
    const anchor = toSeconds(renewsAt ?? endsAt ?? startedAt)
    const terms = {
      id,
      customer: owner.customer,
      currency: first.price.currency,
      start: toSeconds(startedAt),
      anchor,
      metadata: describePurchase(
        { ...owner, accountId: first.accountId },
        rows.map(({ tracker: device, price }) => ({ device, price })),
      ),
      description: rows.map(({ device }) => device).join(', '),
    }
    const items = rows.map(buildItem)
    const saved = saveSubscription(provider, { ...terms, card: null, invoice: null, status: status ?? 'active', items })
    provider.subscriptions.set(id, { ...saved, cancel_at_period_end: !isRecurring && status !== 'unpaid' })
  }
}

const buildItem = ({ subscription, price }: Renewal) => ({
  price: buildPrice({
    id: `price_${price.id}`,
    created: toSeconds(subscription.startedAt),
    currency: price.currency,
    amount: price.unitAmount,
    taxBehavior: price.taxBehavior,
    product: stripeProductId(price.id),
    recurring: price.interval && { interval: price.interval, count: price.intervalCount ?? 1 },
  }),
  end: toSeconds(subscription.renewsAt ?? subscription.endsAt ?? subscription.startedAt),
})

export type InvoiceRenewal = Required<Pick<InvoiceFacts, 'subscription' | 'reason'>> & { item: Stripe.SubscriptionItem | undefined }

/**
 * Finds the subscription that an invoice renewed; an invoice without an order came from a subscription. Only an unpaid renewal has an item
 * with its period: paid ones are already applied.
 */
function resolveRenewal(
  provider: Provider,
  { id, accountId, orderReference, status, lines, date, currency }: InvoiceRow,
  customer: string | null,
  renewals: readonly Renewal[],
): InvoiceRenewal | undefined {
  if (orderReference !== null || status === 'open' || customer === null) return undefined
  const renewal = renewals.find(
    (one) => one.accountId === accountId && lines.some(({ label }) => label === lineLabel(one.price, one.device)),
  )
  const created = Math.floor(date.getTime() / 1000)
  const subscription =
    renewal?.subscription.providerId ?? saveCanceledSubscription(provider, { id: `sub_ended_${id}`, customer, currency, start: created })
  const [renewedItem] =
    provider.subscriptions.get(subscription)?.items.data.filter(({ price }) => price.id === `price_${renewal?.price.id}`) ?? []
  const item = status === 'failed' && renewedItem ? { ...renewedItem, current_period_start: created } : undefined
  return { subscription, reason: 'subscription_cycle', item }
}

type CanceledTerms = { id: string; customer: string; currency: string; start: number }

/** Adds a canceled subscription for a tracker that no longer exists; its open invoices can still be paid. */
function saveCanceledSubscription(provider: Provider, terms: CanceledTerms) {
  return saveSubscription(provider, { ...terms, card: null, invoice: null, metadata: {}, status: 'canceled', items: [] }).id
}
