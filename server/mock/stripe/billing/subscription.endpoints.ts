import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { chargeError } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Bool, Int, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { findCustomer, nowInSeconds, type Provider, runAtTimeOf } from '#server/mock/stripe/api/provider.ts'
import { isAsked } from '#server/mock/stripe/payments/payment-intents.ts'
import { chargeFault } from '#server/mock/stripe/payments/payment-methods.ts'
import { attemptCharge, prepareIntent } from './invoice-payments.ts'
import {
  cancelSubscription,
  DEFAULT_PAYMENT_SETTINGS,
  ENDED,
  getSubscription,
  mergeSettings,
  NewItem,
  PaymentSettings,
  periodEnd,
  requireOneCurrency,
  resolvePrice,
  updateSubscription,
} from './subscription.ts'
import { billChange, changeSubscription, ItemRemoval, invoiceNow, prorate, SubscriptionChange } from './subscription-changes.ts'
import { itemAmount, productName, startSubscription } from './subscription-invoices.ts'
import { resolveTaxRates, TaxRateIdsOrNone } from './tax-rates.ts'

/** Parameters of a subscription without a checkout. */
const NewSubscription = z.strictObject({
  customer: z.string(),
  cancel_at_period_end: z.optional(Bool),
  collection_method: z.optional(z.literal('charge_automatically')),
  default_payment_method: z.optional(z.string()),
  default_tax_rates: z.optional(TaxRateIdsOrNone),
  description: z.optional(Text),
  off_session: z.optional(Bool),
  metadata: z.optional(Metadata),
  payment_behavior: z.optional(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
  payment_settings: z.optional(PaymentSettings),
  trial_end: z.optional(Int),
  trial_period_days: z.optional(Int),
  items: z.array(NewItem).check(z.minLength(1), z.maxLength(20)),
})
type NewSubscription = z.infer<typeof NewSubscription>

const DAY_SECONDS = 86_400

const createSubscription = (provider: Provider, input: NewSubscription) =>
  runAtTimeOf(provider, input.customer, () => createSubscriptionNow(provider, input))

function createSubscriptionNow(provider: Provider, input: NewSubscription) {
  const { customer, default_payment_method, payment_behavior = 'allow_incomplete', off_session = false } = input
  const card = default_payment_method ?? null
  const owner = findCustomer(provider, customer)
  if (!owner) throw missingObject('customer', customer, 'customer', 400)
  const start = nowInSeconds(provider)
  const trialEnd = findTrialEnd(input, start)
  const priced = input.items.map((item, index) => ({
    price: resolvePrice(provider, item, index),
    quantity: item.quantity ?? 1,
    metadata: mergeMetadata({}, item.metadata),
    taxRates: resolveTaxRates(provider, item.tax_rates, `items[${index}][tax_rates]`),
  }))
  const taxRates = resolveTaxRates(provider, input.default_tax_rates, 'default_tax_rates')
  const currency = priced[0]!.price.currency
  if (priced.some(({ price }) => price.currency !== currency))
    throw new Problem('All prices on a subscription must have the same currency.', { param: 'items' })
  requireOneCurrency(provider, customer, currency)
  const isFree = trialEnd !== null || priced.every((item) => itemAmount(item) === 0)
  const isWaiting = payment_behavior === 'default_incomplete' && !isFree
  const method = findPayer(provider, owner, card, isFree || isWaiting)
  const fault = isFree || isWaiting ? null : firstFault(provider, method!, !off_session)
  if (fault && payment_behavior === 'error_if_incomplete') throw chargeError(fault)
  const { subscription, invoice } = startSubscription(
    provider,
    {
      customer,
      currency,
      start,
      card,
      invoice: null,
      anchor: trialEnd ?? start,
      trialEnd,
      taxRates,
      description: input.description ?? null,
      status: fault || isWaiting ? 'incomplete' : trialEnd === null ? 'active' : 'trialing',
      metadata: mergeMetadata({}, input.metadata),
      paymentSettings: mergeSettings(DEFAULT_PAYMENT_SETTINGS, input.payment_settings),
      items: priced.map((item) => ({ ...item, end: trialEnd ?? periodEnd(start, item.price.recurring!) })),
    },
    (items) =>
      items.map((item) => ({
        label: productName(provider, item),
        amount: trialEnd === null ? itemAmount(item) : 0,
        quantity: item.quantity,
        item,
      })),
  )
  if (isWaiting && method) prepareIntent(provider, invoice, method)
  if (!isFree && !isWaiting) attemptCharge(provider, invoice, method, { isAutomatic: false, isOnSession: !off_session })
  const made = getSubscription(provider, subscription.id)
  return input.cancel_at_period_end ? updateSubscription(provider, made, { cancel_at_period_end: true }) : made
}

function findTrialEnd({ trial_end, trial_period_days }: NewSubscription, start: number) {
  if (trial_end !== undefined && trial_period_days !== undefined)
    throw new Problem('You may only specify one of these parameters: trial_end, trial_period_days.', { param: 'trial_period_days' })
  if (trial_end !== undefined && trial_end <= start)
    throw new Problem('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
  return trial_end ?? (trial_period_days ? start + trial_period_days * DAY_SECONDS : null)
}

/** The outcome of the first charge; with the customer present, a request for confirmation only delays it. */
const firstFault = (provider: Provider, method: Stripe.PaymentMethod, isOnSession: boolean) =>
  isOnSession && isAsked(provider, method) ? 'authentication_required' : chargeFault(provider, method)

/** The card that pays; undefined if the first invoice can wait for one. */
function findPayer(provider: Provider, owner: Stripe.Customer, card: string | null, mayWait: boolean) {
  const id = card ?? owner.invoice_settings.default_payment_method
  if (id === null) {
    if (mayWait) return undefined
    throw new Problem(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  const method = provider.methods.get(String(id))
  if (!method || method.customer !== owner.id) throw missingObject('PaymentMethod', String(id), 'default_payment_method', 400)
  return method
}

const SUBSCRIPTIONS_PATH = '/v1/subscriptions'
const SUBSCRIPTION_ITEMS_PATH = '/v1/subscription_items'
const STATUSES = [
  'all',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'trialing',
  'incomplete',
  'incomplete_expired',
  'paused',
  'ended',
] as const
const SubscriptionQuery = z.strictObject({
  ...Pagination,
  created: Created,
  customer: z.optional(z.string()),
  price: z.optional(z.string()),
  status: z.optional(z.enum(STATUSES)),
})
const ItemQuery = z.strictObject({ ...Pagination, subscription: z.string() })
const Cancellation = z.strictObject({ invoice_now: z.optional(Bool), prorate: z.optional(Bool) })

export const subscriptionEndpoints = [
  searchEndpoint(SUBSCRIPTIONS_PATH, ({ subscriptions }) => subscriptions.values()),
  endpoint('GET', SUBSCRIPTIONS_PATH, SubscriptionQuery, ({ subscriptions }, { created, customer, price, status, ...paging }) => {
    const isWanted = (one: string) =>
      status === undefined ? one !== 'canceled' : status === 'all' || one === status || (status === 'ended' && ENDED.includes(one))
    const found = [...subscriptions.values()].filter(
      (one) =>
        isWanted(one.status) &&
        (customer === undefined || one.customer === customer) &&
        (price === undefined || one.items.data.some((item) => item.price.id === price)) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, SUBSCRIPTIONS_PATH)
  }),
  endpoint('POST', SUBSCRIPTIONS_PATH, NewSubscription, createSubscription),
  endpoint('GET', `${SUBSCRIPTIONS_PATH}/:id`, NoInput, (provider, _, id) => getSubscription(provider, id)),
  endpoint('POST', `${SUBSCRIPTIONS_PATH}/:id`, SubscriptionChange, (provider, change, id) => {
    const subscription = getSubscription(provider, id)
    return runAtTimeOf(provider, String(subscription.customer), () => changeSubscription(provider, subscription, change))
  }),
  endpoint('GET', SUBSCRIPTION_ITEMS_PATH, ItemQuery, (provider, { subscription, ...paging }) =>
    paginate(getSubscription(provider, subscription).items.data, paging, SUBSCRIPTION_ITEMS_PATH),
  ),
  endpoint('DELETE', `${SUBSCRIPTIONS_PATH}/:id`, Cancellation, (provider, { invoice_now, prorate: isProrated }, id) => {
    const subscription = getSubscription(provider, id)
    if (ENDED.includes(subscription.status)) throw missingObject('subscription', id)
    return runAtTimeOf(provider, String(subscription.customer), () => {
      if (isProrated) prorate(provider, subscription, [subscription.items.data, []], nowInSeconds(provider))
      if (invoice_now) invoiceNow(provider, subscription)
      return cancelSubscription(provider, getSubscription(provider, id))
    })
  }),
  endpoint('DELETE', `${SUBSCRIPTION_ITEMS_PATH}/:id`, ItemRemoval, (provider, proration, id) => {
    const subscription = [...provider.subscriptions.values()].find(({ items }) => items.data.some((item) => item.id === id))
    if (!subscription) throw missingObject('subscription_item', id, 'item')
    return runAtTimeOf(provider, String(subscription.customer), () => {
      const data = subscription.items.data.filter((item) => item.id !== id)
      if (data.length === 0) throw new Problem('A subscription must have at least one active plan.', { param: 'item' })
      updateSubscription(provider, subscription, { items: { ...subscription.items, data } })
      billChange(provider, subscription, data, proration)
      return { id, object: 'subscription_item', deleted: true }
    })
  }),
]
