import type { Currency } from '#contracts/lib/currencies.ts'
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
/** Amounts in minor units: a month, a year, two years, care, a replacement tracker. */
const IN_OTHER_CURRENCIES = {
  usd: [219, 1595, 2695, 1090, 5490],
  gbp: [179, 1295, 2195, 890, 4490],
  chf: [210, 1590, 2690, 1090, 5490],
  czk: [4900, 36_900, 61_900, 24_900, 124_900],
  dkk: [1500, 10_900, 18_500, 7500, 36_900],
  huf: [79_000, 599_000, 999_000, 399_000, 1_999_000],
  jpy: [330, 2500, 4200, 1600, 8200],
  nok: [2300, 16_900, 28_500, 11_500, 57_900],
  pln: [850, 6490, 10_690, 4290, 21_490],
  sek: [2200, 16_500, 27_500, 11_000, 54_900],
} satisfies Record<Exclude<Currency, 'eur'>, number[]>

function createPrices([currency, amounts]: [string, number[]]): PriceRow[] {
  const [month = 0, year = 0, twoYears = 0, care = 0, tracker = 0] = amounts
  const common = { currency, taxBehavior: currency === 'usd' ? 'exclusive' : 'inclusive' } as const
  return [
    { id: `${currency}-1m`, type: 'plan', name: '1 month', ...common, unitAmount: month, ...period('month', 1) },
    { id: `${currency}-12m`, type: 'plan', name: '1 year', ...common, unitAmount: year, ...period('year', 1) },
    { id: `${currency}-24m`, type: 'plan', name: '2 years', ...common, unitAmount: twoYears, ...period('year', 2) },
    { id: `${currency}-care`, type: 'option', name: 'care', ...common, unitAmount: care, ...once(0) },
    { id: `${currency}-tracker`, type: 'tracker', name: 'replacement', ...common, unitAmount: tracker, ...once(0) },
  ]
}

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
  ...Object.entries(IN_OTHER_CURRENCIES).flatMap(createPrices),
]

/** Inserts the demo's prices into a database without any, so that prices removed later are not restored. */
export async function ensurePrices(tx: Tx) {
  const [known] = await tx.select({ id: prices.id }).from(prices).limit(1)
  if (!known) await tx.insert(prices).values(priceRows)
}
