import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { LANGUAGES } from '#contracts/lib/constants.ts'
import { endpoint } from './endpoint.ts'
import { missingObject } from './problem.ts'
import { createId, findCustomer, nowInSeconds, PAGES_PATH } from './provider.ts'

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
      configuration: 'bpc_test',
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
    return session
  }),
]
