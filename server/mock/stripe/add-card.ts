import type Stripe from 'stripe'
import { attachFault, type CardFault, findTestCard, type TestCard } from './cards.ts'
import { recordEvent } from './event.ts'
import { buildSavedCard, type Expiry, hasExpired, listPaymentMethods, savePaymentMethod } from './payment-method.ts'
import { findCustomer, type Provider } from './provider.ts'

export type AddCardResult = { outcome: 'added' } | { outcome: 'asked' } | { outcome: 'refused'; fault: CardFault }

/**
 * Adds a card typed into the billing portal; `asked` means that its bank wants confirmation first. Undefined for an unknown portal session.
 */
export function addCard(provider: Provider, portalSession: string, number: string, expiry: Expiry): AddCardResult | undefined {
  const customer = findPortalCustomer(provider, portalSession)
  if (!customer) return undefined
  const card = findTestCard(number)
  if (!card) return { outcome: 'refused', fault: 'unknown_card' }
  const fault = attachFault(card) ?? (hasExpired(provider, expiry) ? 'expired_card' : null)
  if (fault) return { outcome: 'refused', fault }
  if (card.asks === 'never') return attachAsDefault(provider, customer, card, expiry)
  provider.challenges.set(portalSession, { card, expiry })
  return { outcome: 'asked' }
}

/** Completes a pending confirmation with the cardholder's answer. */
export function confirmAddedCard(provider: Provider, portalSession: string, isOwner: boolean): AddCardResult | undefined {
  const customer = findPortalCustomer(provider, portalSession)
  const asked = provider.challenges.get(portalSession)
  provider.challenges.delete(portalSession)
  if (!customer || !asked) return undefined
  return isOwner ? attachAsDefault(provider, customer, asked.card, asked.expiry) : { outcome: 'refused', fault: 'authentication_failed' }
}

/** Attaches the card and makes it the default, as Stripe's portal does. */
function attachAsDefault(provider: Provider, customer: Stripe.Customer, typed: TestCard, expiry: Expiry): AddCardResult {
  const card = savePaymentMethod(provider, buildSavedCard(typed, expiry, customer.id))
  provider.setUpCards.add(card.id)
  const changed = { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: card.id } }
  provider.customers.set(customer.id, changed)
  recordEvent(provider, 'payment_method.attached', card)
  recordEvent(provider, 'customer.updated', changed)
  return { outcome: 'added' }
}

export function listPortalCards(provider: Provider, portalSession: string) {
  const customer = findPortalCustomer(provider, portalSession)
  return customer
    ? listPaymentMethods(provider, customer.id).map((method) => ({
        method,
        isDefault: method.id === customer.invoice_settings.default_payment_method,
      }))
    : []
}

export const findPortalCustomer = (provider: Provider, portalSession: string) =>
  findCustomer(provider, String(provider.portalSessions.get(portalSession)?.customer))
