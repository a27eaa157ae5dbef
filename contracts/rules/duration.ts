import type { Interval } from '#contracts/lib/constants.ts'

export type Recurring = { interval: Interval; interval_count: number }
export type Period = { every: number; unit: Interval }

/** Subscriptions of 12 months or more are shown in years plus the remaining months (C-43); 0 and 0 is "no change". */
export const durationOf = (months: number) => ({ years: Math.floor(months / 12), months: months % 12 })

/** How often a price recurs: whole years as years, else months; null is one-time. */
export const periodOf = (recurring: Recurring | null): Period | null => {
  if (!recurring) return null
  const { interval, interval_count } = recurring
  const isWholeYears = interval === 'month' && interval_count % 12 === 0
  return isWholeYears ? { every: interval_count / 12, unit: 'year' } : { every: interval_count, unit: interval }
}
