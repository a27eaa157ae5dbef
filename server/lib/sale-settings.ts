import * as z from 'zod/mini'
import { PRICE_NOTICE_DAYS } from '#contracts/rules/prices/price-changes.ts'
import { PLAN_MOVES, PLAN_PAUSES } from '#contracts/rules/subscription.ts'

/** Settings of what accounts may claim, of plans, and of how customers withdraw. */
export const SaleSettings = {
  /** `stock`: accounts claim only trackers in stock; `any`: any free number. Default: `stock` in production, `any` in the mock server. */
  CLAIMS: z.optional(z.enum(['stock', 'any'])),
  /** Months of service that come with the first phone of an account. Default: 0 in production, 12 in the mock server. */
  PHONE_MONTHS: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(120))),
  /** How many plans an owner may move to another tracker within a year without asking support. */
  PLAN_MOVES_PER_YEAR: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100)), PLAN_MOVES.perYear),
  /** Days between two of these moves. */
  PLAN_MOVE_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(365)), PLAN_MOVES.days),
  /** How often an owner may pause one plan within a year without asking support. */
  PLAN_PAUSES_PER_YEAR: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100)), PLAN_PAUSES.perYear),
  /** The most days of such a pause. */
  PLAN_PAUSE_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365)), PLAN_PAUSES.days),
  /** Days before a rise of a price for which the owners of running renewals must have been told of it. */
  PRICE_NOTICE_DAYS: z._default(
    z.coerce.number().check(z.int(), z.minimum(PRICE_NOTICE_DAYS.least), z.maximum(PRICE_NOTICE_DAYS.most)),
    PRICE_NOTICE_DAYS.usual,
  ),
  /** Days within which a customer can withdraw from a contract; `off`: no page for it. */
  WITHDRAWAL_DAYS: z.pipe(
    z._default(z.union([z.literal('off'), z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365))]), 14),
    z.transform((value) => (value === 'off' ? null : value)),
  ),
  /** The countries of billing addresses that have this right, such as `DE,FR`; `all` by default. */
  WITHDRAWAL_COUNTRIES: z.pipe(
    z._default(z.string().check(z.regex(/^(all|[A-Za-z]{2}(\s*,\s*[A-Za-z]{2})*)$/)), 'all'),
    z.transform((value) => (value === 'all' ? null : value.toUpperCase().split(/\s*,\s*/))),
  ),
}
