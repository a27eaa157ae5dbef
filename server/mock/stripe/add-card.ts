import type Stripe from 'stripe'
import { type CardFault, findCard, keepFault, type TestCard } from './cards.ts'
import { record } from './event.ts'
import { type Expiry, hasExpired, keepCard, methodsOf, typedCard } from './payment-method.ts'
import { liveCustomer, type Provider } from './provider.ts'

export type AddedCard = { outcome: 'added' } | { outcome: 'asked' } | { outcome: 'refused'; fault: CardFault }

/**
 * Adds a card typed into the billing portal; `asked` means that its bank wants confirmation first. Undefined for an unknown portal session.
 */
export function addCard(provider: Provider, portalSession: string, number: string, expiry: Expiry): AddedCard | undefined {
  const customer = customerIn(provider, portalSession)
  if (!customer) return undefined
  const card = findCard(number)
  if (!card) return { outcome: 'refused', fault: 'unknown_card' }
  const fault = keepFault(card) ?? (hasExpired(provider, expiry) ? 'expired_card' : null)
  if (fault) return { outcome: 'refused', fault }
  if (card.asks === 'never') return keep(provider, customer, card, expiry)
  provider.challenges.set(portalSession, { card, expiry })
  return { outcome: 'asked' }
}

/** Completes a pending confirmation with the cardholder's answer. */
export function answerSetUp(provider: Provider, portalSession: string, isOwner: boolean): AddedCard | undefined {
  const customer = customerIn(provider, portalSession)
  const asked = provider.challenges.get(portalSession)
  provider.challenges.delete(portalSession)
  if (!customer || !asked) return undefined
  return isOwner ? keep(provider, customer, asked.card, asked.expiry) : { outcome: 'refused', fault: 'authentication_failed' }
}

/** Attaches the card and makes it the default, as Stripe's portal does. */
function keep(provider: Provider, customer: Stripe.Customer, typed: TestCard, expiry: Expiry): AddedCard {
  const card = keepCard(provider, typedCard(typed, expiry, customer.id))
  provider.setUp.add(card.id)
  const changed = { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: card.id } }
  provider.customers.set(customer.id, changed)
  record(provider, 'payment_method.attached', card)
  record(provider, 'customer.updated', changed)
  return { outcome: 'added' }
}

export function cardsShown(provider: Provider, portalSession: string) {
  const customer = customerIn(provider, portalSession)
  return customer
    ? methodsOf(provider, customer.id).map((method) => ({
        method,
        isDefault: method.id === customer.invoice_settings.default_payment_method,
      }))
    : []
}

export const customerIn = (provider: Provider, portalSession: string) =>
  liveCustomer(provider, String(provider.portals.get(portalSession)?.customer))
