import { LEGACY_THREE_YEAR } from '#contracts/rules/price.ts'
import type { Tx } from '#db/db.ts'
import { prices } from '#db/schema/commerce.ts'

type PriceRow = typeof prices.$inferInsert
type Period = Pick<PriceRow, 'interval' | 'intervalCount' | 'months' | 'extra'>

const period = (interval: 'month' | 'year', intervalCount: number, extra = 0): Period => ({
  interval,
  intervalCount,
  months: interval === 'year' ? intervalCount * 12 : intervalCount,
  extra,
})
const once = (months: number): Period => ({ interval: null, intervalCount: null, months, extra: 0 })

const EUR = { currency: 'eur', taxBehavior: 'inclusive' } as const
const USD = { currency: 'usd', taxBehavior: 'exclusive' } as const
const GBP = { currency: 'gbp', taxBehavior: 'inclusive' } as const

/** The prices on sale, and a retired three-year plan that some subscriptions still have. */
export const priceRows: PriceRow[] = [
  { id: 'eur-1m', type: 'plan', name: '1 month', ...EUR, unitAmount: 199, ...period('month', 1) },
  { id: 'eur-3m', type: 'plan', name: '3 months', ...EUR, unitAmount: 499, ...period('month', 3) },
  { id: 'eur-12m', type: 'plan', name: '1 year', ...EUR, unitAmount: 1495, ...period('year', 1) },
  { id: 'eur-12m-once', type: 'plan', name: '1 year, paid once', ...EUR, unitAmount: 1695, ...once(12) },
  { id: 'eur-24m', type: 'plan', name: '2 years', ...EUR, unitAmount: 2490, ...period('year', 2, 1) },
  { id: 'eur-care', type: 'option', name: 'care', ...EUR, unitAmount: 990, ...once(0) },
  {
    id: 'eur-36m',
    type: 'plan',
    name: '3 years',
    ...EUR,
    unitAmount: LEGACY_THREE_YEAR.unit_amount,
    ...period('year', 3),
    isOffered: false,
  },
  { id: 'eur-tracker', type: 'tracker', name: 'replacement', ...EUR, unitAmount: 4990, ...once(0) },
  { id: 'usd-1m', type: 'plan', name: '1 month', ...USD, unitAmount: 219, ...period('month', 1) },
  { id: 'usd-12m', type: 'plan', name: '1 year', ...USD, unitAmount: 1595, ...period('year', 1) },
  { id: 'usd-24m', type: 'plan', name: '2 years', ...USD, unitAmount: 2695, ...period('year', 2) },
  { id: 'usd-care', type: 'option', name: 'care', ...USD, unitAmount: 1090, ...once(0) },
  { id: 'usd-tracker', type: 'tracker', name: 'replacement', ...USD, unitAmount: 5490, ...once(0) },
  { id: 'gbp-1m', type: 'plan', name: '1 month', ...GBP, unitAmount: 179, ...period('month', 1) },
  { id: 'gbp-12m', type: 'plan', name: '1 year', ...GBP, unitAmount: 1295, ...period('year', 1) },
  { id: 'gbp-24m', type: 'plan', name: '2 years', ...GBP, unitAmount: 2195, ...period('year', 2) },
  { id: 'gbp-care', type: 'option', name: 'care', ...GBP, unitAmount: 890, ...once(0) },
  { id: 'gbp-tracker', type: 'tracker', name: 'replacement', ...GBP, unitAmount: 4490, ...once(0) },
]

/** Inserts the demo's prices into a database without any, so that prices removed later are not restored. */
export async function ensurePrices(tx: Tx) {
  const [known] = await tx.select({ id: prices.id }).from(prices).limit(1)
  if (!known) await tx.insert(prices).values(priceRows)
}
