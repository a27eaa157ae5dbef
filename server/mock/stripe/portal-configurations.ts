import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { Bool, endpoint } from './endpoint.ts'
import { Pagination, paginate } from './list.ts'
import { createId, nowInSeconds } from './provider.ts'

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
