import type Stripe from 'stripe'
import { CheckoutInput, Expansion } from './checkout-input.ts'
import { lineItems, openSession } from './checkout-session.ts'
import { liveCustomer } from './customers.ts'
import { endpoint, Nothing } from './endpoint.ts'
import { missing, Problem } from './problem.ts'
import { type Provider, secondsNow } from './provider.ts'

const PATH = '/v1/checkout/sessions'

export const checkoutEndpoints = [
  endpoint('POST', PATH, CheckoutInput, (provider, input) => {
    checkInput(provider, input)
    const lines = lineItems(provider, input)
    const session = openSession(provider, input, lines)
    provider.lines.set(session.id, lines)
    return keep(provider, session)
  }),
  endpoint('GET', `${PATH}/:id`, Expansion, (provider, { expand }, id) => {
    const session = findSession(provider, id) ?? notFound(id)
    return expand?.includes('line_items') ? { ...session, line_items: listOf(provider, id) } : session
  }),
  endpoint('GET', `${PATH}/:id/line_items`, Nothing, (provider, _, id) => {
    if (!findSession(provider, id)) notFound(id)
    return listOf(provider, id)
  }),
  endpoint('POST', `${PATH}/:id/expire`, Nothing, (provider, _, id) => {
    const session = findSession(provider, id) ?? notFound(id)
    if (session.status !== 'open') throw new Problem('Only Checkout Sessions with a status in ["open"] can be expired.')
    return keep(provider, { ...session, status: 'expired', url: null })
  }),
]

/** The session, expired once its day is over. */
export function findSession(provider: Provider, id: string): Stripe.Checkout.Session | undefined {
  const session = provider.sessions.get(id)
  if (session?.status !== 'open' || session.expires_at > secondsNow(provider)) return session
  return keep(provider, { ...session, status: 'expired', url: null })
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

const listOf = ({ lines }: Provider, id: string) => ({
  object: 'list',
  url: `${PATH}/${id}/line_items`,
  has_more: false,
  data: lines.get(id) ?? [],
})

const notFound = (id: string): never => {
  throw missing('checkout.session', id, 'session')
}
