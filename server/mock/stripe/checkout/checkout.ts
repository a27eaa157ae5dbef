import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { type CardFault, type Expiry, findTestCard, hasExpired, type TestCard } from '#server/mock/stripe/api/cards.ts'
import { endpoint, listLineItems, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { isCreatedWithin, Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { checkTotal } from '#server/mock/stripe/api/money.ts'
import { mergeMetadata, NoInput } from '#server/mock/stripe/api/parameters.ts'
import { findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildCustomer } from '#server/mock/stripe/billing/customers.ts'
import { saveInvoice } from '#server/mock/stripe/billing/invoice.ts'
import { finalizeInvoice, settleInvoice, settleNow } from '#server/mock/stripe/billing/invoice-payments.ts'
import { periodEnd, requireOneCurrency } from '#server/mock/stripe/billing/subscription.ts'
import { startSubscription } from '#server/mock/stripe/billing/subscription-invoices.ts'
import { recordPayment } from '#server/mock/stripe/payments/payment-intents.ts'
import { buildSavedCard, savePaymentMethod } from '#server/mock/stripe/payments/payment-methods.ts'
import { buildCheckoutSession, buildLineItems, CheckoutInput, CheckoutSessionQuery } from './checkout-session.ts'

const CHECKOUT_PATH = '/v1/checkout/sessions'

export const checkoutEndpoints = [
  endpoint('POST', CHECKOUT_PATH, CheckoutInput, (provider, input) => {
    const lines = buildLineItems(provider, input)
    validateCheckout(provider, input, lines)
    const session = buildCheckoutSession(provider, input, lines)
    checkTotal(session.amount_total ?? 0, lines[0]!.currency)
    provider.lines.set(session.id, lines)
    const description = input.subscription_data?.description ?? input.payment_intent_data?.description
    if (description) provider.descriptions.set(session.id, description)
    const metadata = input.subscription_data?.metadata ?? input.payment_intent_data?.metadata
    if (metadata) provider.paidMetadata.set(session.id, mergeMetadata({}, metadata))
    return saveCheckoutSession(provider, session)
  }),
  endpoint(
    'GET',
    CHECKOUT_PATH,
    CheckoutSessionQuery,
    (provider, { created, customer, payment_intent, status, subscription, ...paging }) => {
      const sessions = [...provider.sessions.keys()].flatMap((id) => findCheckoutSession(provider, id) ?? [])
      const found = sessions.filter(
        (one) =>
          (!customer || one.customer === customer) &&
          (!payment_intent || one.payment_intent === payment_intent) &&
          (!status || one.status === status) &&
          (!subscription || one.subscription === subscription) &&
          isCreatedWithin(one, created),
      )
      return paginate(found, paging, CHECKOUT_PATH)
    },
  ),
  endpoint('GET', `${CHECKOUT_PATH}/:id`, NoInput, (provider, _, id) => findCheckoutSession(provider, id) ?? notFound(id)),
  endpoint('GET', `${CHECKOUT_PATH}/:id/line_items`, z.strictObject(Pagination), (provider, paging, id) => {
    if (!findCheckoutSession(provider, id)) notFound(id)
    const { url, data } = listLineItems(provider, id)
    // Reversed, because `paginate` returns the last one first.
    return paginate(
      data.toReversed().map((line) => ({ ...line, created: 0 })),
      paging,
      url,
    )
  }),
  endpoint('POST', `${CHECKOUT_PATH}/:id/expire`, NoInput, (provider, _, id) => {
    const session = findCheckoutSession(provider, id) ?? notFound(id)
    if (session.status !== 'open') throw new Problem('Only Checkout Sessions with a status in ["open"] can be expired.')
    return expireCheckoutSession(provider, session)
  }),
]

/** Finds a session, and expires it first if it has been open for a day. */
export function findCheckoutSession(provider: Provider, id: string): Stripe.Checkout.Session | undefined {
  const session = provider.sessions.get(id)
  return session?.status === 'open' && session.expires_at <= nowInSeconds(provider) ? expireCheckoutSession(provider, session) : session
}

export function expireCheckoutSession(provider: Provider, session: Stripe.Checkout.Session) {
  const expired = saveCheckoutSession(provider, { ...session, status: 'expired', url: null })
  recordEvent(provider, 'checkout.session.expired', expired)
  return expired
}

function saveCheckoutSession({ sessions }: Provider, session: Stripe.Checkout.Session) {
  sessions.set(session.id, session)
  return session
}

/** Parameters that only apply in the other mode. */
const FOREIGN = { payment: ['subscription_data'], subscription: ['payment_intent_data', 'invoice_creation'] } as const

function validateCheckout(provider: Provider, input: CheckoutInput, lines: readonly Stripe.LineItem[]) {
  const { mode, customer, customer_email } = input
  for (const param of FOREIGN[mode])
    if (input[param as keyof CheckoutInput]) throw new Problem(`You can not pass \`${param}\` in \`${mode}\` mode.`, { param })
  if (customer !== undefined && !findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
  if (customer !== undefined && customer_email !== undefined)
    throw new Problem('You may only specify one of these parameters: customer, customer_email.')
  const prices = lines.flatMap(({ price }) => price ?? [])
  const recurs = prices.some((price) => price.recurring)
  if (mode === 'payment' && recurs)
    throw new Problem(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  if (mode === 'subscription' && !recurs)
    throw new Problem('You must provide at least one recurring price in `subscription` mode when using prices.')
  if (new Set(prices.map((price) => price.currency)).size > 1)
    throw new Problem('The line items of a Checkout Session must all have the same currency.', { param: 'line_items' })
  if (mode === 'subscription' && customer !== undefined) requireOneCurrency(provider, customer, prices[0]!.currency)
}

const notFound = (id: string): never => {
  throw missingObject('checkout.session', id, 'session')
}

export type CheckoutPayment =
  | { outcome: 'paid'; session: Stripe.Checkout.Session; event: Stripe.Event; events: readonly Stripe.Event[] }
  | { outcome: 'refused'; session: Stripe.Checkout.Session; fault: CardFault }
  | { outcome: 'asked'; session: Stripe.Checkout.Session }
  | { outcome: 'closed'; session: Stripe.Checkout.Session | undefined }

/** Pays an open session by card. A complete or expired session is left unchanged. */
export function payCheckout(provider: Provider, id: string, number: string, expiry: Expiry): CheckoutPayment {
  const session = findCheckoutSession(provider, id)
  if (session?.status !== 'open') return { outcome: 'closed', session }
  const card = findTestCard(number)
  if (!card) return { outcome: 'refused', session, fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', session, fault: 'expired_card' }
  if (card.asks === 'never') return chargeSession(provider, session, card, expiry)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked', session }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function confirmCheckoutPayment(provider: Provider, id: string, isOwner: boolean): CheckoutPayment {
  const session = findCheckoutSession(provider, id)
  const challenge = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (session?.status !== 'open' || !challenge) return { outcome: 'closed', session }
  return isOwner
    ? chargeSession(provider, session, challenge.card, challenge.expiry)
    : { outcome: 'refused', session, fault: 'authentication_failed' }
}

function chargeSession(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry): CheckoutPayment {
  if (card.fault) return { outcome: 'refused', session, fault: card.fault }
  const since = provider.events.length
  const bought = fulfilSession(provider, session, card, expiry)
  const paid = saveCheckoutSession(provider, { ...session, ...bought, status: 'complete', payment_status: 'paid', url: null })
  const event = recordEvent(provider, 'checkout.session.completed', paid)
  return { outcome: 'paid', session: paid, event, events: provider.events.slice(since) }
}

function fulfilSession(provider: Provider, session: Stripe.Checkout.Session, card: TestCard, expiry: Expiry) {
  const customer = typeof session.customer === 'string' ? session.customer : null
  const details = { customer_details: buildDetails(provider, session, customer) }
  if (session.mode === 'subscription') {
    const owner = customer ?? createBuyer(provider, session)
    const method = saveRecurringCard(provider, owner, card, expiry)
    return { ...details, customer: owner, ...subscribe(provider, session, owner, method) }
  }
  const method = savePaymentMethod(provider, buildSavedCard(card, expiry, null))
  const paid = recordPayment(provider, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'eur',
    customer,
    method,
    description: provider.descriptions.get(session.id) ?? null,
    metadata: provider.paidMetadata.get(session.id) ?? {},
  })
  const invoice = session.invoice_creation?.enabled ? addInvoice(provider, session, customer, paid) : null
  return { ...details, invoice: invoice?.id ?? null, payment_intent: paid.id }
}

function buildDetails(provider: Provider, session: Stripe.Checkout.Session, customer: string | null) {
  const owner = customer === null ? undefined : findCustomer(provider, customer)
  const email = owner ? owner.email : session.customer_email
  return { ...NO_DETAILS, email, name: owner?.name ?? null, phone: owner?.phone ?? null }
}

const NO_DETAILS = {
  address: null,
  business_name: null,
  individual_name: null,
  tax_exempt: 'none',
  tax_ids: [],
} satisfies Partial<Stripe.Checkout.Session.CustomerDetails>

/** A subscription belongs to a customer, so the checkout creates one if the shop named none. */
function createBuyer(provider: Provider, { customer_email }: Stripe.Checkout.Session) {
  const customer = { ...buildCustomer(provider), email: customer_email }
  provider.customers.set(customer.id, customer)
  recordEvent(provider, 'customer.created', customer)
  return customer.id
}

/** Saves the card and sets it up for later charges; only subscriptions need that. */
function saveRecurringCard(provider: Provider, customer: string, card: TestCard, expiry: Expiry) {
  const method = savePaymentMethod(provider, buildSavedCard(card, expiry, customer))
  provider.setUpCards.add(method.id)
  recordEvent(provider, 'payment_method.attached', method)
  return method
}

function subscribe(provider: Provider, session: Stripe.Checkout.Session, customer: string, card: Stripe.PaymentMethod) {
  const start = nowInSeconds(provider)
  const lines = provider.lines.get(session.id) ?? []
  const recurring = lines.filter(({ price }) => price?.recurring)
  const facts = {
    customer,
    currency: session.currency ?? 'eur',
    start,
    card: card.id,
    invoice: null,
    metadata: provider.paidMetadata.get(session.id) ?? {},
    items: recurring.map(({ price, quantity, taxes = [] }) => ({
      price: price!,
      quantity: quantity ?? 1,
      end: periodEnd(start, price!.recurring!),
      taxRates: taxes.map(({ rate }) => rate),
    })),
    description: provider.descriptions.get(session.id) ?? null,
  }
  const { subscription, invoice } = startSubscription(provider, facts, (items) =>
    lines.map((line) => ({ ...describeLine(line), item: items[recurring.indexOf(line)] })),
  )
  settleNow(provider, invoice, card)
  return { invoice: invoice.id, subscription: subscription.id }
}

const describeLine = ({ description, amount_subtotal, quantity, taxes = [] }: Stripe.LineItem) => ({
  label: description ?? '',
  amount: amount_subtotal,
  quantity: quantity ?? 1,
  taxRates: taxes.map(({ rate }) => rate),
})

/** The invoice of a purchase that its checkout has already paid. */
function addInvoice(provider: Provider, session: Stripe.Checkout.Session, customer: string | null, paid: Stripe.PaymentIntent) {
  const created = nowInSeconds(provider)
  const draft = saveInvoice(provider, {
    customer,
    created,
    currency: session.currency ?? 'eur',
    draftUntil: null,
    attempts: 0,
    lines: (provider.lines.get(session.id) ?? []).map(describeLine),
  })
  recordEvent(provider, 'invoice.created', draft)
  provider.invoicePayments.set(draft.id, paid.id)
  const open = finalizeInvoice(provider, draft, created)
  return open.status === 'paid' ? open : settleInvoice(provider, open, null)
}
