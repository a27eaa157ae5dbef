import type Stripe from 'stripe'
import { type CardFault, keepFault } from './cards.ts'
import { liveCustomer } from './customers.ts'
import { record } from './event.ts'
import { type Expiry, hasExpired, keepCard, methodsOf, typedCard } from './payment-method.ts'
import type { Provider } from './provider.ts'

export type AddedCard = { outcome: 'added'; events: readonly Stripe.Event[] } | { outcome: 'refused'; fault: CardFault }

/** Keeps a card typed into the billing portal, which becomes the default one, as the provider does it. */
export function addCard(provider: Provider, portalSession: string, number: string, expiry: Expiry): AddedCard | undefined {
  const customer = liveCustomer(provider, String(provider.portals.get(portalSession)?.customer))
  if (!customer) return undefined
  const fault = keepFault(number) ?? (hasExpired(provider, expiry) ? 'expired_card' : null)
  if (fault) return { outcome: 'refused', fault }
  const card = keepCard(provider, typedCard(number, expiry, customer.id))
  const changed = { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: card.id } }
  provider.customers.set(customer.id, changed)
  return { outcome: 'added', events: [record(provider, 'payment_method.attached', card), record(provider, 'customer.updated', changed)] }
}

/** The cards a portal session shows. */
export function cardsShown(provider: Provider, portalSession: string) {
  const customer = liveCustomer(provider, String(provider.portals.get(portalSession)?.customer))
  return customer
    ? methodsOf(provider, customer.id).map((method) => ({
        method,
        isDefault: method.id === customer.invoice_settings.default_payment_method,
      }))
    : []
}
