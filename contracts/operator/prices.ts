import * as z from 'zod/mini'
import { CurrencyCode, IdParams, Instant, listed, MinorUnits } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { INTERVALS, TAX_BEHAVIORS } from '#contracts/rules/price.ts'
import { RUNNING_CHANGES } from '#contracts/rules/prices/price-changes.ts'

const PRICE_TYPES = ['plan', 'option', 'tracker'] as const
export const PRICE_CHANGE_STATES = ['coming', 'begun', 'withdrawn'] as const
export type PriceChangeState = (typeof PRICE_CHANGE_STATES)[number]

export const PriceChange = z.object({
  id: z.int(),
  price: z.string(),
  currency: CurrencyCode,
  amount: MinorUnits,
  /** What held before. */
  former_amount: MinorUnits,
  from: Instant,
  running: listed(RUNNING_CHANGES),
  state: listed(PRICE_CHANGE_STATES),
  /** From when owners with a running renewal get a mail; null when theirs keep what they cost. */
  mails_from: z.nullable(Instant),
  /** Running renewals whose owners know of it, those that were changed at the card provider, and those whose change failed so far. */
  noticed: z.int(),
  changed: z.int(),
  failing: z.int(),
  created_at: Instant,
  created_by: z.string(),
})
export type PriceChange = z.infer<typeof PriceChange>

export const OperatorPrice = z.object({
  id: z.string(),
  type: listed(PRICE_TYPES),
  name: z.string(),
  currency: CurrencyCode,
  /** What holds now. */
  amount: MinorUnits,
  tax_behavior: listed(TAX_BEHAVIORS),
  recurring: z.nullable(z.object({ interval: listed(INTERVALS), interval_count: z.int() })),
  months: z.int(),
  is_offered: z.boolean(),
  coming: z.array(PriceChange),
})
export type OperatorPrice = z.infer<typeof OperatorPrice>

export const NewPriceChange = z.object({
  price: z.string().check(z.regex(/^[\w-]{1,60}$/)),
  /** In minor units, for the whole period. */
  amount: z.int().check(z.minimum(1), z.maximum(100_000_000)),
  /** Without it the amount holds at once. */
  from: z.optional(Instant),
  running: z._default(z.enum(RUNNING_CHANGES), 'keep'),
})

export const PricePreview = z.object({
  price: z.string(),
  currency: CurrencyCode,
  former_amount: MinorUnits,
  amount: MinorUnits,
  from: Instant,
  /** Subscriptions of this price that renew, and how many of them renew at the new amount. */
  renewing: z.int(),
  changed: z.int(),
  /** Those that renew at this amount already. */
  holding: z.int(),
  owners: z.int(),
  first_renewal: z.nullable(Instant),
  /** What all running renewals of this price bring in twelve months. */
  year_before: z.int(),
  year_after: z.int(),
  /** Owners who get a mail, and from when. */
  mails: z.int(),
  mails_from: z.nullable(Instant),
})
export type PricePreview = z.infer<typeof PricePreview>

/** Prices, what holds now and what is coming. */
export const operatorPrices = {
  list: {
    method: 'GET',
    path: '/operator/api/prices/',
    summary: 'Lists all prices with what holds now and what is coming, those on sale first',
    access: { staff: staffRights.readMoney },
    response: { 200: z.object({ prices: z.array(OperatorPrice), notice_days: z.int() }) },
    safety: 'read',
    provenance: 'ours',
  },
  changes: {
    method: 'GET',
    path: '/operator/api/prices/changes/',
    summary: 'A page of the coming, past and withdrawn amounts of prices, the latest day first',
    access: { staff: staffRights.readMoney },
    query: z.object({
      before: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,15}$/))),
      price: z.optional(z.string()),
      state: z.optional(z.enum(PRICE_CHANGE_STATES)),
    }),
    response: { 200: z.object({ changes: z.array(PriceChange), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  preview: {
    method: 'POST',
    path: '/operator/api/prices/preview/',
    summary: 'Counts the running renewals that a new amount would meet, and changes nothing',
    access: { staff: staffRights.handleMoney },
    body: NewPriceChange,
    response: { 200: PricePreview },
    errors: ['not_found', 'price_planned'],
    safety: 'read',
    provenance: 'ours',
  },
  set: {
    method: 'POST',
    path: '/operator/api/prices/changes/',
    summary: 'Sets the amount of a price from an instant on; running renewals keep what they cost, or change with a notice to their owners',
    access: { staff: staffRights.handleMoney },
    body: NewPriceChange,
    response: { 200: PriceChange },
    errors: ['not_found', 'price_planned'],
    safety: 'destructive',
    provenance: 'ours',
  },
  cancel: {
    method: 'POST',
    path: '/operator/api/prices/changes/:id/cancel/',
    summary: 'Withdraws a coming amount before its day',
    access: { staff: staffRights.handleMoney },
    params: IdParams,
    body: z.object({}),
    response: { 200: PriceChange },
    errors: ['not_found', 'wrong_step'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
