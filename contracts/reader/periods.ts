import { findNamed, isRecord } from './names.ts'

/** Reads periods as many backends write them: `P1Y`, `12 months`, `yearly`, `{ interval: 'year', interval_count: 1 }`. */
export type Period = { interval: string; interval_count: number }

const UNITS: [RegExp, string, number][] = [
  [/^(y|yr|years?|yearly|annual|annually|annum)$/, 'year', 1],
  [/^(quarter|quarters|quarterly)$/, 'month', 3],
  [/^(m|mo|mon|mth|months?|monthly)$/, 'month', 1],
  [/^(w|weeks?|weekly)$/, 'week', 1],
  [/^(d|days?|daily)$/, 'day', 1],
]
const TEXT = /^(?:(?:every|each|per|a)[\s_-]+|p(?=\d))?(\d+)?[\s_-]*([a-z]+)$/
const UNIT_NAMES = ['interval', 'unit', 'period', 'type']
const COUNT_NAMES = ['interval_count', 'intervalCount', 'count', 'every', 'value', 'length']

/** Returns the period of a value, and whether it states a count; undefined if it is no period. */
export function readPeriod(value: unknown): (Period & { isCounted: boolean }) | undefined {
  if (isRecord(value)) {
    const [period, count] = [readPeriod(findNamed(value, UNIT_NAMES)), Number(findNamed(value, COUNT_NAMES))]
    const isCounted = Number.isInteger(count) && count > 0
    return period && isCounted ? { ...period, interval_count: period.interval_count * count, isCounted } : period
  }
  if (typeof value !== 'string') return undefined
  const [, count, word = ''] = TEXT.exec(value.trim().toLowerCase()) ?? []
  const [, interval, factor] = UNITS.find(([words]) => words.test(word)) ?? []
  if (!interval || !factor || count === '0') return undefined
  return { interval, interval_count: factor * Number(count ?? 1), isCounted: count !== undefined || factor > 1 }
}

/** Whole months; undefined for weeks and days. */
export function countMonths(period: Period | undefined): number | undefined {
  if (period?.interval === 'year') return period.interval_count * 12
  return period?.interval === 'month' ? period.interval_count : undefined
}
