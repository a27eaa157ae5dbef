import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { LANGUAGES } from '#contracts/lib/constants.ts'
import { endpoint } from './endpoint.ts'
import { missing } from './problem.ts'
import { liveCustomer, newId, PAGES, secondsNow } from './provider.ts'

const Input = z.strictObject({
  customer: z.string(),
  return_url: z.url({ protocol: /^https?$/ }),
  locale: z.optional(z.enum(['auto', ...LANGUAGES])),
})

export const portalEndpoints = [
  endpoint('POST', '/v1/billing_portal/sessions', Input, (provider, { customer, return_url, locale }) => {
    if (!liveCustomer(provider, customer)) throw missing('customer', customer, 'customer', 400)
    const id = newId(provider, 'bps')
    const session: Stripe.BillingPortal.Session = {
      id,
      object: 'billing_portal.session',
      configuration: 'bpc_test',
      created: secondsNow(provider),
      customer,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: locale ?? null,
      on_behalf_of: null,
      return_url,
      url: `${provider.origin}${PAGES}/portal/${id}`,
    }
    provider.portals.set(id, session)
    return session
  }),
]
