import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { attachFault, type CardFault, type Expiry, findTestCard, hasExpired, type TestCard } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Bool } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, PAGES_PATH, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildSavedCard, listPaymentMethods, savePaymentMethod } from '#server/mock/stripe/payments/payment-methods.ts'
import { LANGUAGES } from '#server/mock/stripe/port.ts'
import { cancelSubscription, updateSubscription } from './subscription.ts'

const NewPortalSession = z.strictObject({
  customer: z.string(),
  return_url: z.url({ protocol: /^https?$/ }),
  locale: z.optional(z.enum(['auto', ...LANGUAGES])),
})

export const portalEndpoints = [
  endpoint('POST', '/v1/billing_portal/sessions', NewPortalSession, (provider, { customer, return_url, locale }) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    const id = createId(provider, 'bps')
    const session: Stripe.BillingPortal.Session = {
      id,
      object: 'billing_portal.session',
      configuration: findConfiguration(provider)?.id ?? 'bpc_test',
      created: nowInSeconds(provider),
      customer,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: locale ?? null,
      on_behalf_of: null,
      return_url,
      url: `${provider.origin}${PAGES_PATH}/portal/${id}`,
    }
    provider.portalSessions.set(id, session)
    recordEvent(provider, 'billing_portal.session.created', session)
    return session
  }),
]

const PORTAL_CONFIGURATIONS_PATH = '/v1/billing_portal/configurations'
const Switch = z.strictObject({ enabled: Bool })
const NewPortalConfiguration = z.strictObject({
  default_return_url: z.optional(z.url({ protocol: /^https?$/ })),
  features: z.strictObject({
    invoice_history: z.optional(Switch),
    payment_method_update: z.optional(Switch),
    subscription_cancel: z.optional(z.strictObject({ enabled: Bool, mode: z.optional(z.enum(['at_period_end', 'immediately'])) })),
  }),
})
const PortalConfigurationQuery = z.strictObject({ ...Pagination, active: z.optional(Bool), is_default: z.optional(Bool) })

export const portalConfigurationEndpoints = [
  endpoint('GET', PORTAL_CONFIGURATIONS_PATH, PortalConfigurationQuery, ({ portalConfigurations }, { active, is_default, ...paging }) => {
    const found = [...portalConfigurations.values()].filter(
      (one) => (active === undefined || one.active === active) && (is_default === undefined || one.is_default === is_default),
    )
    return paginate(found, paging, PORTAL_CONFIGURATIONS_PATH)
  }),
  endpoint('POST', PORTAL_CONFIGURATIONS_PATH, NewPortalConfiguration, (provider, { default_return_url, features }) => {
    const created = nowInSeconds(provider)
    const configuration: Stripe.BillingPortal.Configuration = {
      id: createId(provider, 'bpc'),
      object: 'billing_portal.configuration',
      active: true,
      application: null,
      business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
      created,
      default_return_url: default_return_url ?? null,
      features: {
        customer_update: { allowed_updates: [], enabled: false },
        invoice_history: features.invoice_history ?? { enabled: false },
        payment_method_update: { enabled: features.payment_method_update?.enabled ?? false, payment_method_configuration: null },
        subscription_cancel: {
          cancellation_reason: { enabled: false, feedback_options: null, options: [] },
          enabled: features.subscription_cancel?.enabled ?? false,
          mode: features.subscription_cancel?.mode ?? 'at_period_end',
          proration_behavior: 'none',
        },
        subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
        subscription_update: NO_SUBSCRIPTION_UPDATE,
      },
      is_default: provider.portalConfigurations.size === 0,
      livemode: false,
      login_page: { enabled: false, url: null },
      metadata: {},
      name: null,
      updated: created,
    }
    provider.portalConfigurations.set(configuration.id, configuration)
    recordEvent(provider, 'billing_portal.configuration.created', configuration)
    return configuration
  }),
]

const NO_SUBSCRIPTION_UPDATE: Stripe.BillingPortal.Configuration.Features.SubscriptionUpdate = {
  billing_cycle_anchor: null,
  default_allowed_updates: [],
  enabled: false,
  proration_behavior: 'none',
  schedule_at_period_end: { conditions: [] },
  trial_update_behavior: 'end_trial',
}

const findConfiguration = ({ portalConfigurations }: Provider) => [...portalConfigurations.values()].find((one) => one.is_default)

type Features = Stripe.BillingPortal.Configuration.Features
export type PortalFeatures = Pick<Features, 'payment_method_update' | 'subscription_cancel'> & { invoices: readonly Stripe.Invoice[] }

/** The options of a portal session, from its configuration; without one, cards and cancellations. */
export function findPortalFeatures(provider: Provider, portalSession: string): PortalFeatures {
  const customer = findPortalCustomer(provider, portalSession)?.id
  const { payment_method_update = OFFERED, subscription_cancel = OFFERED, invoice_history } = findConfiguration(provider)?.features ?? {}
  const invoices = [...provider.invoices.values()].filter((one) => one.customer === customer && one.hosted_invoice_url)
  return { payment_method_update, subscription_cancel, invoices: invoice_history?.enabled ? invoices.reverse() : [] }
}

const OFFERED = { enabled: true, mode: 'at_period_end' } as Features['payment_method_update'] & Features['subscription_cancel']

export type PortalCard = { method: Stripe.PaymentMethod; isDefault: boolean }
export type AddCardResult = { outcome: 'added' } | { outcome: 'asked' } | { outcome: 'refused'; fault: CardFault }

/**
 * Adds a card that was entered in the billing portal. `asked` means that the bank requires a confirmation first. Undefined for an unknown
 * portal session, or when its configuration does not allow new cards.
 */
export function addCard(provider: Provider, portalSession: string, number: string, expiry: Expiry): AddCardResult | undefined {
  const customer = findPortalCustomer(provider, portalSession)
  if (!customer || !findPortalFeatures(provider, portalSession).payment_method_update.enabled) return undefined
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
  const challenge = provider.challenges.get(portalSession)
  provider.challenges.delete(portalSession)
  if (!customer || !challenge) return undefined
  return isOwner
    ? attachAsDefault(provider, customer, challenge.card, challenge.expiry)
    : { outcome: 'refused', fault: 'authentication_failed' }
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

export function listPortalCards(provider: Provider, portalSession: string): PortalCard[] {
  const customer = findPortalCustomer(provider, portalSession)
  return customer
    ? listPaymentMethods(provider, customer.id).map((method) => ({
        method,
        isDefault: method.id === customer.invoice_settings.default_payment_method,
      }))
    : []
}

const findPortalCustomer = (provider: Provider, portalSession: string) =>
  findCustomer(provider, String(provider.portalSessions.get(portalSession)?.customer))

export type PortalSubscription = { subscription: Stripe.Subscription; names: string }

export const listPortalSubscriptions = (provider: Provider, portalSession: string): PortalSubscription[] => {
  const customer = findPortalCustomer(provider, portalSession)
  const own = [...provider.subscriptions.values()].filter((one) => customer && one.customer === customer.id && one.status !== 'canceled')
  return own.map((subscription) => ({ subscription, names: itemNames(provider, subscription) }))
}

/** Cancels a subscription, at once or at the end of its period, or resumes it. */
export function setCancelAtPeriodEnd(provider: Provider, portalSession: string, id: string, isEnding: boolean) {
  const shown = listPortalSubscriptions(provider, portalSession).find(({ subscription }) => subscription.id === id)
  const { enabled, mode } = findPortalFeatures(provider, portalSession).subscription_cancel
  if (!shown || !enabled) return
  if (isEnding && mode === 'immediately') cancelSubscription(provider, shown.subscription)
  else updateSubscription(provider, shown.subscription, { cancel_at_period_end: isEnding })
}

function itemNames({ products }: Provider, { description, items }: Stripe.Subscription) {
  const names = items.data.map(({ price }) => products.get(String(price.product))?.name ?? '')
  return [...new Set(names), ...(description ? [description] : [])].filter(Boolean).join(', ')
}
