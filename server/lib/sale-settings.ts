import * as z from 'zod/mini'

/** Settings of what accounts may claim, and of how customers withdraw. */
export const SaleSettings = {
  /** `stock`: accounts claim only trackers in stock; `any`: any free number. Default: `stock` in production, `any` in the mock server. */
  CLAIMS: z.optional(z.enum(['stock', 'any'])),
  /** Months of service that come with the first phone of an account. Default: 0 in production, 12 in the mock server. */
  PHONE_MONTHS: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(120))),
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
