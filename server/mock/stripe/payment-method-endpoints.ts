import * as z from 'zod/mini'
import { findCard, keepFault } from './cards.ts'
import { refusedCharge } from './charge.ts'
import { endpoint, Nothing } from './endpoint.ts'
import { Paging, pageOf } from './list.ts'
import { detach, keepCard, methodsOf, typedCard } from './payment-method.ts'
import { missing, Problem } from './problem.ts'
import { liveCustomer, type Provider } from './provider.ts'

const PATH = '/v1/payment_methods'
const Listed = z.strictObject({ ...Paging, type: z.optional(z.literal('card')) })
const Owner = z.strictObject({ customer: z.string() })

/** Stripe's ids for test cards, which can be attached without a form. */
const NAMED: Record<string, string> = {
  pm_card_visa: '4242 4242 4242 4242',
  pm_card_chargeDeclined: '4000 0000 0000 0002',
  pm_card_chargeCustomerFail: '4000 0000 0000 0341',
  pm_card_authenticationRequiredOnSetup: '4000 0025 0000 3155',
  pm_card_authenticationRequired: '4000 0027 6000 3184',
}
const EXPIRY = { month: 12, year: 2034 }

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/customers/:id/payment_methods', Listed, (provider, paging, id) => {
    if (!liveCustomer(provider, id)) throw missing('customer', id, 'customer')
    return pageOf(methodsOf(provider, id), paging, `/v1/customers/${id}/payment_methods`)
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => find(provider, id)),
  endpoint('POST', `${PATH}/:id/attach`, Owner, (provider, { customer }, id) => {
    if (!liveCustomer(provider, customer)) throw missing('customer', customer, 'customer', 400)
    const card = findCard(NAMED[id] ?? '')
    if (!card) throw missing('PaymentMethod', id, 'payment_method')
    const fault = keepFault(card)
    if (fault) throw refusedCharge(fault)
    return keepCard(provider, typedCard(card, EXPIRY, customer))
  }),
  endpoint('POST', `${PATH}/:id/detach`, Nothing, (provider, _, id) => {
    const method = find(provider, id)
    if (method.customer === null)
      throw new Problem('The payment method you provided is not attached to a customer so detachment is impossible.')
    return detach(provider, method)
  }),
]

const find = ({ methods }: Provider, id: string) => {
  const method = methods.get(id)
  if (!method) throw missing('PaymentMethod', id, 'payment_method')
  return method
}
