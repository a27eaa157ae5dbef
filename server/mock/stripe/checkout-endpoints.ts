import type Stripe from 'stripe'
import { CheckoutInput, CheckoutSessionQuery } from './checkout-input.ts'
import { buildCheckoutSession, buildLineItems } from './checkout-session.ts'
import { endpoint, NoInput } from './endpoint.ts'
import { recordEvent } from './event.ts'
import { listLineItems } from './expand.ts'
import { paginate } from './list.ts'
import { missingObject, Problem } from './problem.ts'
import { findCustomer, nowInSeconds, type Provider } from './provider.ts'

const CHECKOUT_PATH = '/v1/checkout/sessions'

export const checkoutEndpoints = [
  endpoint('POST', CHECKOUT_PATH, CheckoutInput, (provider, input) => {
    validateCheckout(provider, input)
    const lines = buildLineItems(provider, input)
    const session = buildCheckoutSession(provider, input, lines)
    provider.lines.set(session.id, lines)
    if (input.subscription_data?.description) provider.descriptions.set(session.id, input.subscription_data.description)
    return saveCheckoutSession(provider, session)
  }),
  endpoint('GET', CHECKOUT_PATH, CheckoutSessionQuery, (provider, { customer, status, ...paging }) => {
    const sessions = [...provider.sessions.keys()].flatMap((id) => findCheckoutSession(provider, id) ?? [])
    const found = sessions.filter((one) => (!customer || one.customer === customer) && (!status || one.status === status))
    return paginate(found, paging, CHECKOUT_PATH)
  }),
  endpoint('GET', `${CHECKOUT_PATH}/:id`, NoInput, (provider, _, id) => findCheckoutSession(provider, id) ?? notFound(id)),
  endpoint('GET', `${CHECKOUT_PATH}/:id/line_items`, NoInput, (provider, _, id) => {
    if (!findCheckoutSession(provider, id)) notFound(id)
    return listLineItems(provider, id)
  }),
  endpoint('POST', `${CHECKOUT_PATH}/:id/expire`, NoInput, (provider, _, id) => {
    const session = findCheckoutSession(provider, id) ?? notFound(id)
    if (session.status !== 'open') throw new Problem('Only Checkout Sessions with a status in ["open"] can be expired.')
    return expireCheckoutSession(provider, session)
  }),
]

/** Finds a session and expires it first when it has been open for a day. */
export function findCheckoutSession(provider: Provider, id: string): Stripe.Checkout.Session | undefined {
  const session = provider.sessions.get(id)
  return session?.status === 'open' && session.expires_at <= nowInSeconds(provider) ? expireCheckoutSession(provider, session) : session
}

export function expireCheckoutSession(provider: Provider, session: Stripe.Checkout.Session) {
  const expired = saveCheckoutSession(provider, { ...session, status: 'expired', url: null })
  recordEvent(provider, 'checkout.session.expired', expired)
  return expired
}

export function saveCheckoutSession({ sessions }: Provider, session: Stripe.Checkout.Session) {
  sessions.set(session.id, session)
  return session
}

function validateCheckout(provider: Provider, { mode, customer, line_items }: CheckoutInput) {
  if (customer !== undefined && !findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
  const prices = line_items.map((line) => line.price_data)
  const recurs = prices.some((price) => price.recurring)
  if (mode === 'payment' && recurs)
    throw new Problem(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  if (mode === 'subscription' && !recurs)
    throw new Problem('You must provide at least one recurring price in `subscription` mode when using prices.')
  if (new Set(prices.map((price) => price.currency)).size > 1)
    throw new Problem('The line items of a Checkout Session must all have the same currency.', { param: 'line_items' })
}

const notFound = (id: string): never => {
  throw missingObject('checkout.session', id, 'session')
}
