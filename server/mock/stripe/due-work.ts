import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { lastFourDigits, type TestCard } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Int, NoInput } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { attemptCharge, finalizeInvoice, findInvoiceCard, voidInvoice } from '#server/mock/stripe/billing/invoice-payments.ts'
import { cancelSubscription, periodMonths, updateSubscription } from '#server/mock/stripe/billing/subscription.ts'
import { draftInvoice, itemAmount, productName } from '#server/mock/stripe/billing/subscription-invoices.ts'
import { endPause, findPauseEnd, pauseInvoice } from '#server/mock/stripe/billing/subscription-pause.ts'
import { expireCheckoutSession } from '#server/mock/stripe/checkout/checkout.ts'
import { addMonths } from './port.ts'

const HOUR_SECONDS = 3600
const INCOMPLETE_SECONDS = 23 * HOUR_SECONDS
const AUTOMATIC = { isAutomatic: true }
const RENEWING_STATUSES: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid']

/** Work that is due at an instant, in seconds. */
type DueWork = { at: number; run(): void }

/**
 * The next due work: a period ends, an invoice is finalized and charged, a charge is retried, or a session expires. Customers with a test
 * clock follow only that clock.
 */
export function findNextDue(provider: Provider, testClock: string | null = null): DueWork | undefined {
  let next: DueWork | undefined
  const offer = (customer: Stripe.Invoice['customer'], at: number | null, run: () => void) => {
    const isOfClock = (findCustomer(provider, String(customer))?.test_clock ?? null) === testClock
    if (isOfClock && at !== null && Number.isFinite(at) && (!next || at < next.at)) next = { at, run }
  }
  for (const subscription of provider.subscriptions.values())
    if (RENEWING_STATUSES.includes(subscription.status)) {
      offer(subscription.customer, findPauseEnd(subscription), () => void endPause(provider, subscription))
      const at = Math.min(...subscription.items.data.map((item) => item.current_period_end))
      offer(subscription.customer, at, () => void endPeriod(provider, subscription, at))
      offer(subscription.customer, trialWarning(provider, subscription), () =>
        recordEvent(provider, 'customer.subscription.trial_will_end', subscription),
      )
    } else if (subscription.status === 'incomplete') {
      const at = subscription.created + INCOMPLETE_SECONDS
      offer(subscription.customer, at, () => expireSubscription(provider, subscription))
    }
  for (const invoice of provider.invoices.values()) {
    if (invoice.status === 'draft')
      offer(invoice.customer, invoice.automatically_finalizes_at, () => void finalizeAndCharge(provider, invoice))
    if (invoice.status === 'open')
      offer(
        invoice.customer,
        invoice.next_payment_attempt,
        () => void attemptCharge(provider, invoice, findInvoiceCard(provider, invoice), AUTOMATIC),
      )
  }
  for (const session of provider.sessions.values())
    if (session.status === 'open') offer(session.customer, session.expires_at, () => void expireCheckoutSession(provider, session))
  return next
}

const TRIAL_WARNING_SECONDS = 3 * 86_400

/** When the end of a trial is announced: three days before, or at its start. Null if no announcement is needed any more. */
function trialWarning({ events }: Provider, { id, status, trial_end, created }: Stripe.Subscription) {
  if (status !== 'trialing' || trial_end === null) return null
  const isAnnounced = events.some(({ type, data }) => type === 'customer.subscription.trial_will_end' && data.object.id === id)
  return isAnnounced ? null : Math.max(created, trial_end - TRIAL_WARNING_SECONDS)
}

/** Runs everything that is due until then (seconds), each at its own instant. */
export function runDue(provider: Provider, until: number, testClock: string | null = null) {
  const before = provider.pinnedTime
  for (let due = findNextDue(provider, testClock); due && due.at <= until; due = findNextDue(provider, testClock)) {
    provider.pinnedTime = new Date(due.at * 1000)
    due.run()
  }
  provider.pinnedTime = before
}

/** Starts the next period with a draft invoice, finalized an hour later. That of an unpaid subscription stays a draft, and none of a paused one is charged. */
function endPeriod(provider: Provider, subscription: Stripe.Subscription, at: number): Stripe.Invoice | undefined {
  if (subscription.cancel_at_period_end) return void cancelSubscription(provider, subscription)
  const over = subscription.items.data.filter((item) => item.current_period_end === at)
  const data = subscription.items.data.map((item) => (over.includes(item) ? nextPeriod(subscription, item) : item))
  const renewed = updateSubscription(provider, subscription, {
    items: { ...subscription.items, data },
    ...(subscription.status === 'trialing' && { status: 'active' }),
  })
  const draft = draftInvoice(provider, renewed, {
    reason: 'subscription_cycle',
    at,
    draftUntil: subscription.status === 'unpaid' ? null : at + HOUR_SECONDS,
    lines: renewed.items.data.flatMap((item) =>
      item.current_period_start === at
        ? [{ label: productName(provider, item), amount: itemAmount(item), quantity: item.quantity, item }]
        : [],
    ),
  })
  return renewed.pause_collection ? pauseInvoice(provider, draft, renewed.pause_collection) : draft
}

function finalizeAndCharge(provider: Provider, draft: Stripe.Invoice, card = findInvoiceCard(provider, draft)) {
  const sent = finalizeInvoice(provider, draft, draft.automatically_finalizes_at ?? nowInSeconds(provider))
  if (sent.status === 'paid') return { fault: null, invoice: sent }
  return attemptCharge(provider, sent, card, AUTOMATIC)
}

/** A subscription whose first invoice is not paid within 23 hours expires. */
function expireSubscription(provider: Provider, subscription: Stripe.Subscription) {
  const invoice = provider.invoices.get(String(subscription.latest_invoice))
  if (invoice?.status === 'open') voidInvoice(provider, invoice)
  updateSubscription(provider, subscription, { status: 'incomplete_expired' })
}

/** Periods are counted from the anchor, so that a month of 28 days does not shorten all later ones. */
function nextPeriod({ billing_cycle_anchor: anchor }: Stripe.Subscription, item: Stripe.SubscriptionItem): Stripe.SubscriptionItem {
  const start = item.current_period_end
  const step = item.price.recurring ? periodMonths(item.price.recurring) : 1
  let months = step
  const at = () => addMonths(new Date(anchor * 1000), months).getTime() / 1000
  while (at() <= start) months += step
  return { ...item, current_period_start: start, current_period_end: at() }
}

/** Ends the current period of a subscription and charges the next one as if its card were the given one. */
export function renewNow(provider: Provider, id: string, card: TestCard) {
  const subscription = provider.subscriptions.get(id)
  if (!subscription || subscription.status === 'canceled') return undefined
  const at = nowInSeconds(provider)
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: at }))
  const over: Stripe.Subscription = {
    ...subscription,
    billing_cycle_anchor: at,
    cancel_at_period_end: false,
    items: { ...subscription.items, data },
  }
  const draft = endPeriod(provider, over, at)
  const method = draft && findInvoiceCard(provider, draft)
  if (!draft || !method?.card) return undefined
  const stand = { ...method, card: { ...method.card, last4: lastFourDigits(card), exp_year: 2099 } }
  return finalizeAndCharge(provider, { ...draft, automatically_finalizes_at: at }, stand)
}

const TEST_CLOCKS_PATH = '/v1/test_helpers/test_clocks'
const WEEK_SECONDS = 7 * 86_400
const TestClockQuery = z.strictObject(Pagination)
const NewTestClock = z.strictObject({ frozen_time: Int, name: z.optional(z.string()) })
const Advance = z.strictObject({ frozen_time: Int })

/** Test clocks, to try out renewals of single customers; all other customers follow the clock of the world. */
export const testClockEndpoints = [
  endpoint('POST', TEST_CLOCKS_PATH, NewTestClock, (provider, { frozen_time, name = null }) => {
    const created = nowInSeconds(provider)
    const clock = saveTestClock(provider, {
      id: createId(provider, 'clock'),
      object: 'test_helpers.test_clock',
      created,
      deletes_after: created + WEEK_SECONDS,
      frozen_time,
      livemode: false,
      name,
      status: 'ready',
      status_details: {},
    })
    recordEvent(provider, 'test_helpers.test_clock.created', clock)
    return clock
  }),
  endpoint('GET', TEST_CLOCKS_PATH, TestClockQuery, ({ testClocks }, paging) => paginate(testClocks.values(), paging, TEST_CLOCKS_PATH)),
  endpoint('GET', `${TEST_CLOCKS_PATH}/:id`, NoInput, (provider, _, id) => getTestClock(provider, id)),
  endpoint('POST', `${TEST_CLOCKS_PATH}/:id/advance`, Advance, (provider, { frozen_time }, id) => {
    const clock = getTestClock(provider, id)
    if (frozen_time <= clock.frozen_time) throw new Problem('You can only advance a test clock to a later time.', { param: 'frozen_time' })
    const status_details = { advancing: { target_frozen_time: frozen_time } }
    recordEvent(provider, 'test_helpers.test_clock.advancing', { ...clock, status: 'advancing', status_details })
    runDue(provider, frozen_time, id)
    const ready = saveTestClock(provider, { ...clock, frozen_time })
    recordEvent(provider, 'test_helpers.test_clock.ready', ready)
    return ready
  }),
  endpoint('DELETE', `${TEST_CLOCKS_PATH}/:id`, NoInput, (provider, _, id) => {
    const clock = getTestClock(provider, id)
    provider.testClocks.delete(id)
    recordEvent(provider, 'test_helpers.test_clock.deleted', clock)
    for (const customer of provider.customers.values())
      if (!customer.deleted && customer.test_clock === id)
        provider.customers.set(customer.id, { id: customer.id, object: 'customer', deleted: true })
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]

const getTestClock = ({ testClocks }: Provider, id: string): Stripe.TestHelpers.TestClock => {
  const clock = testClocks.get(id)
  if (!clock) throw missingObject('test clock', id)
  return clock
}

function saveTestClock({ testClocks }: Provider, clock: Stripe.TestHelpers.TestClock) {
  testClocks.set(clock.id, clock)
  return clock
}
