import type Stripe from 'stripe'
import { CheckoutInput, Listed } from './checkout-input.ts'
import { lineItems, openSession } from './checkout-session.ts'
import { endpoint, Nothing } from './endpoint.ts'
import { record } from './event.ts'
import { linesOf } from './expand.ts'
import { pageOf } from './list.ts'
import { missing, Problem } from './problem.ts'
import { liveCustomer, type Provider, secondsNow } from './provider.ts'

const PATH = '/v1/checkout/sessions'

export const checkoutEndpoints = [
  endpoint('POST', PATH, CheckoutInput, (provider, input) => {
    checkInput(provider, input)
    const lines = lineItems(provider, input)
    const session = openSession(provider, input, lines)
    provider.lines.set(session.id, lines)
    if (input.subscription_data?.description) provider.descriptions.set(session.id, input.subscription_data.description)
    return keep(provider, session)
  }),
  endpoint('GET', PATH, Listed, (provider, { customer, status, ...paging }) => {
    const sessions = [...provider.sessions.keys()].flatMap((id) => findSession(provider, id) ?? [])
    const found = sessions.filter((one) => (!customer || one.customer === customer) && (!status || one.status === status))
    return pageOf(found, paging, PATH)
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, (provider, _, id) => findSession(provider, id) ?? notFound(id)),
  endpoint('GET', `${PATH}/:id/line_items`, Nothing, (provider, _, id) => {
    if (!findSession(provider, id)) notFound(id)
    return linesOf(provider, id)
  }),
  endpoint('POST', `${PATH}/:id/expire`, Nothing, (provider, _, id) => {
    const session = findSession(provider, id) ?? notFound(id)
    if (session.status !== 'open') throw new Problem('Only Checkout Sessions with a status in ["open"] can be expired.')
    return expire(provider, session)
  }),
]

/** Finds a session and expires it first when it has been open for a day. */
export function findSession(provider: Provider, id: string): Stripe.Checkout.Session | undefined {
  const session = provider.sessions.get(id)
  return session?.status === 'open' && session.expires_at <= secondsNow(provider) ? expire(provider, session) : session
}

export function expire(provider: Provider, session: Stripe.Checkout.Session) {
  const expired = keep(provider, { ...session, status: 'expired', url: null })
  record(provider, 'checkout.session.expired', expired)
  return expired
}

export function keep({ sessions }: Provider, session: Stripe.Checkout.Session) {
  sessions.set(session.id, session)
  return session
}

function checkInput(provider: Provider, { mode, customer, line_items }: CheckoutInput) {
  if (customer !== undefined && !liveCustomer(provider, customer)) throw missing('customer', customer, 'customer', 400)
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
  throw missing('checkout.session', id, 'session')
}
