import type { Reader } from '#db/open.ts'
import type { invoices } from '#db/tables/commerce.ts'
import { blankCustomer } from './customers.ts'
import { keepInvoice } from './invoice.ts'
import { keepCard } from './payment-method.ts'
import { priceOf } from './price.ts'
import type { Provider } from './provider.ts'
import { cardsKnown, customersKnown, invoicesKnown, type Renewal, renewalsKnown } from './store.ts'
import { keepSubscription } from './subscription.ts'

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * Gives the provider what the database says it holds: the customers of a world with their cards, invoices and subscriptions.
 * So a seeded world can be paid in, and the local one still after a restart.
 */
export async function fillFromDatabase(provider: Provider, db: Reader) {
  const owners = await addCustomers(provider, db)
  for (const card of await cardsKnown(db)) {
    const customer = owners.get(card.accountId)
    if (!customer) continue
    keepCard(provider, { ...card, customer })
    if (card.isDefault) makeDefault(provider, customer, card.id)
  }
  for (const invoice of await invoicesKnown(db)) addInvoice(provider, invoice, owners.get(invoice.accountId) ?? null)
  addSubscriptions(provider, await renewalsKnown(db, provider.clock.now()), owners)
}

/** Returns the customer of each account. */
async function addCustomers(provider: Provider, db: Reader) {
  const owners = new Map<number, string>()
  for (const { id, accountId, email, firstName, lastName, language } of await customersKnown(db)) {
    if (id === null || owners.has(accountId)) continue
    const metadata = { account: String(accountId) }
    provider.customers.set(id, {
      ...blankCustomer(provider, id),
      email,
      name: `${firstName} ${lastName}`,
      metadata,
      preferred_locales: [language],
    })
    owners.set(accountId, id)
  }
  return owners
}

function makeDefault(provider: Provider, id: string, card: string) {
  const customer = provider.customers.get(id)
  if (!customer || customer.deleted) return
  provider.customers.set(id, { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: card } })
}

function addInvoice(provider: Provider, { providerId, date, status, ...invoice }: typeof invoices.$inferSelect, customer: string | null) {
  const { currency, amount, balance, lines } = invoice
  keepInvoice(provider, {
    ...(providerId !== null && { id: providerId }),
    customer,
    created: seconds(date),
    currency,
    amount,
    balance,
    attempts: status === 'open' ? 0 : 1,
    lines: lines.map(({ label, quantity, unit_amount }) => ({ label, amount: unit_amount * quantity })),
  })
}

/** One subscription of the provider may renew several trackers. */
function addSubscriptions(provider: Provider, renewals: readonly Renewal[], owners: Map<number, string>) {
  for (const id of new Set(renewals.flatMap(({ subscription }) => subscription.providerId ?? []))) {
    const rows = renewals.filter(({ subscription }) => subscription.providerId === id)
    const [first] = rows
    const customer = first && owners.get(first.accountId)
    if (!first || !customer) continue
    const terms = { id, customer, currency: first.price.currency, start: seconds(first.subscription.startedAt), metadata: {} }
    keepSubscription(provider, { ...terms, card: null, invoice: null, items: rows.map(itemOf) })
  }
}

const itemOf = ({ subscription, price }: Renewal) => ({
  price: priceOf({
    id: `price_${price.id}`,
    created: seconds(subscription.startedAt),
    currency: price.currency,
    amount: price.unitAmount,
    taxBehavior: price.taxBehavior,
    product: `prod_${price.id}`,
    recurring: price.interval && { interval: price.interval, count: price.intervalCount ?? 1 },
  }),
  end: seconds(subscription.renewsAt ?? subscription.startedAt),
})
