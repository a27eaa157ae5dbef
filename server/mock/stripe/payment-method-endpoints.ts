import * as z from 'zod/mini'
import { attachFault, findTestCard } from './cards.ts'
import { chargeError } from './charge.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { Pagination, paginate } from './list.ts'
import { buildSavedCard, detachPaymentMethod, listPaymentMethods, savePaymentMethod } from './payment-method.ts'
import { missingObject, Problem } from './problem.ts'
import { findCustomer, type Provider } from './provider.ts'

const PAYMENT_METHODS_PATH = '/v1/payment_methods'
const PaymentMethodQuery = z.strictObject({ ...Pagination, type: z.optional(z.literal('card')) })
const AttachInput = z.strictObject({ customer: z.string() })

/** Stripe's ids for test cards, which can be attached without a form. */
const TEST_CARD_IDS: Record<string, string> = {
  pm_card_visa: '4242 4242 4242 4242',
  pm_card_chargeDeclined: '4000 0000 0000 0002',
  pm_card_chargeCustomerFail: '4000 0000 0000 0341',
  pm_card_authenticationRequiredOnSetup: '4000 0025 0000 3155',
  pm_card_authenticationRequired: '4000 0027 6000 3184',
}
const TEST_CARD_EXPIRY = { month: 12, year: 2034 }

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/customers/:id/payment_methods', PaymentMethodQuery, (provider, paging, id) => {
    if (!findCustomer(provider, id)) throw missingObject('customer', id, 'customer')
    return paginate(listPaymentMethods(provider, id), paging, `/v1/customers/${id}/payment_methods`)
  }),
  endpoint('GET', `${PAYMENT_METHODS_PATH}/:id`, NoInput, (provider, _, id) => getPaymentMethod(provider, id)),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/attach`, AttachInput, (provider, { customer }, id) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    const card = findTestCard(TEST_CARD_IDS[id] ?? '')
    if (!card) throw missingObject('PaymentMethod', id, 'payment_method')
    const fault = attachFault(card)
    if (fault) throw chargeError(fault)
    return savePaymentMethod(provider, buildSavedCard(card, TEST_CARD_EXPIRY, customer))
  }),
  endpoint('POST', `${PAYMENT_METHODS_PATH}/:id/detach`, NoInput, (provider, _, id) => {
    const method = getPaymentMethod(provider, id)
    if (method.customer === null)
      throw new Problem('The payment method you provided is not attached to a customer so detachment is impossible.')
    return detachPaymentMethod(provider, method)
  }),
]

const getPaymentMethod = ({ methods }: Provider, id: string) => {
  const method = methods.get(id)
  if (!method) throw missingObject('PaymentMethod', id, 'payment_method')
  return method
}
