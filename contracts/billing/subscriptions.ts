import * as z from 'zod/mini'
import { CurrencyCode, Id, IdParams, Instant, listed, MinorUnits, openEnum, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/rules/price.ts'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { Verbatim } from '#contracts/rules/reading/text-fields.ts'
import { SUB_STATES } from '#contracts/rules/subscription.ts'

/** Months arrive as "12" from the card provider's metadata, as 12 from us. */
const Months = z.union([z.number().check(z.minimum(0)), z.string()])

export const Price = z.object({
  id: z.string(),
  type: listed(['plan', 'option']),
  name: z.string(),
  currency: CurrencyCode,
  unit_amount: MinorUnits,
  tax_behavior: listed(TAX_BEHAVIORS),
  recurring: z.nullable(z.object({ interval: listed(INTERVALS), interval_count: z.int().check(z.minimum(1)) })),
  meta_data: z.object({ months: Months, extra: z.optional(Months) }),
})
export type Price = z.infer<typeof Price>

export const Subscription = z.object({
  id: Id,
  type: listed(['recurring', 'one_time']),
  price: z.nullable(z.string()),
  tax: z.nullable(MinorUnits),
  duration_months: z.int(),
  extra_months: z.int(),
  renewal_date: z.nullable(Instant),
  sub_end_date: z.nullable(Instant),
})
export type Subscription = z.infer<typeof Subscription>

/**
 * Whether a subscription ends with its paid period instead of renewing, and the ids of the trackers it pays for. While it runs, nothing can
 * be bought in another currency.
 */
export const Renewal = z.object({ cancel_at_period_end: z.boolean(), devices: z.array(Id), currency: z.optional(CurrencyCode) })

/** What renewals cost from an instant on, when their price changes. */
const NextAmount = z.object({ amount: MinorUnits, currency: CurrencyCode, from: Instant })

/** A tracker's subscription with its options; without `renewal` there is nothing to cancel or resume. */
export const HeldSubscription = z.extend(Subscription, {
  device: Id,
  options: z.array(z.string()),
  renewal: z.optional(z.nullable(Renewal)),
  /** Only while a new price is announced for renewals of this subscription. */
  next_amount: z.optional(NextAmount),
})
export type HeldSubscription = z.infer<typeof HeldSubscription>

/** Trackers, and options, of one payment. */
export const PAYMENT_MAX_LINES = 100

const Line = z.object({ device: Id, price: z.string() })
const SitePath = Verbatim(1, 500)

export const subscriptions = {
  list: {
    method: 'GET',
    path: '/users/subscriptions/',
    summary: 'Lists the newest subscription of each tracker of the account',
    access: rights.buy,
    response: { 200: z.array(HeldSubscription) },
    safety: 'read',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/users/subscriptions/:id/',
    summary:
      'Cancels the renewal of a subscription at the end of its paid period, or resumes it; trackers bought together are cancelled together',
    access: rights.buy,
    params: IdParams,
    body: z.object({ cancel_at_period_end: z.boolean() }),
    response: { 200: HeldSubscription },
    safety: 'reversible',
    provenance: 'assumed',
  },
  linkByCode: {
    method: 'GET',
    path: '/devices/:deviceid/activate_subscription/',
    summary:
      'Links a subscription by its verification code; a GET that changes state, so it is never cached, retried or accepted by cookie',
    access: rights.buy,
    params: z.object({ deviceid: Whole }),
    query: z.object({ code: z.optional(z.string().check(z.overwrite(normalizeLine), z.maxLength(64))) }),
    response: {
      200: z.object({ device: Id, sub_state: openEnum(SUB_STATES), sub_end_date: z.nullable(Instant), subscription: Subscription }),
    },
    errors: ['code_required', 'no_subscription', 'code_expired', 'code_void', 'device_linked_to_pro'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  prices: {
    method: 'GET',
    path: '/users/tracker_prices',
    summary: 'Lists the plans in ascending months, then the options, of every currency on offer',
    access: rights.buy,
    response: { 200: z.array(Price) },
    safety: 'read',
    provenance: 'assumed',
  },
  pay: {
    method: 'POST',
    path: '/users/payment_session/',
    summary:
      "Opens a session of the card provider's checkout; 400 `mixed_currency` with `currency` while a subscription runs that is charged in another one",
    access: rights.buy,
    body: z.object({
      items: z.array(Line).check(z.minLength(1), z.maxLength(PAYMENT_MAX_LINES)),
      options: z._default(z.array(Line).check(z.maxLength(PAYMENT_MAX_LINES)), []),
      success_path: z._default(SitePath, '/subscription?checkout=success'),
      cancel_path: z._default(SitePath, '/subscription?checkout=cancel'),
    }),
    response: { 200: z.object({ public_key: z.string(), id: z.string(), url: z.optional(z.url()) }) },
    errors: ['no_change', 'mixed_currency', 'unknown_price', 'device_linked_to_pro', 'recurring_active', 'not_found'],
    safety: 'destructive',
    provenance: 'spec',
  },
  billingPortal: {
    method: 'POST',
    path: '/users/portal/',
    summary: "Opens the card provider's billing portal",
    access: rights.buy,
    body: z.object({ return_path: SitePath }),
    response: { 200: z.object({ url: z.url() }) },
    errors: ['invalid_return_path'],
    safety: 'reversible',
    provenance: 'spec',
  },
} as const satisfies Contract
