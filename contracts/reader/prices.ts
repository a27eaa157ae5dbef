import { UNKNOWN_INTERVAL } from '#contracts/rules/price.ts'
import { type Fields, findField, findNamed, findPath, isRecord } from './names.ts'

/**
 * Brings a price into the form of the contract: from Stripe's form (`metadata`, `recurring` with its interval, `nickname`, a product), or
 * from a backend's own fields. What a price does not state is left out, or `unknown`.
 */

/** Fields in which backends put the price itself, and its purpose. */
const PRICES = ['price', 'default_price', 'stripe_price', 'attributes', 'fields', 'amount', 'money']
const PRODUCTS = ['product', 'plan', 'offer', 'tariff', 'subscription']

const IDS = ['id', 'price_id', 'stripe_price_id', 'stripe_id', 'uuid', 'reference', 'key', 'code', 'slug', 'lookup_key']
const NAMES = ['name', 'nickname', 'title', 'label', 'display_name']
const AMOUNTS = [
  'unit_amount',
  'unit_amount_decimal',
  'unit_amount_cents',
  'amount_cents',
  'price_cents',
  'cents',
  'amount',
  'price',
  'value',
]
const CURRENCIES = ['currency', 'currency_code']
const MONTHS = ['months', 'duration_months', 'duration_in_months', 'months_count', 'month_count', 'number_of_months', 'nb_months']
const DURATIONS = ['duration', 'term', 'length', 'validity', 'commitment']
const DURATION_UNITS = ['duration_unit', 'term_unit', 'unit']
const EXTRAS = ['extra', 'extra_months', 'free_months', 'extra_free_months', 'extra_free_duration', 'extra_duration', 'bonus_months']
const PERIODS = [
  'recurring',
  'recurrence',
  'is_recurring',
  'auto_renew',
  'auto_renewal',
  'renews',
  'interval',
  'billing_interval',
  'billing_period',
  'billing_cycle',
  'period',
]
const TYPES = ['type', 'kind', 'category']

const OPTIONS = /^(options?|add_?ons?|extras?|care|insurance|accessory|accessories)$/
const ONCE = /^(one_?time|once|single|none|never|false|no|0)$/
const RENEWING = /^(recurring|subscription|true|yes|1|auto)$/

const plain = (value: unknown) =>
  String(value)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

const list = (layers: readonly Fields[], names: readonly string[]) =>
  layers.flatMap((fields) => names.map((name) => findField(fields, name))).filter((each) => each !== undefined && each !== '')
const findObject = (layers: readonly Fields[], names: readonly string[]) => list(layers, names).find(isRecord)
const findScalar = (layers: readonly Fields[], names: readonly string[]) => list(layers, names).find((each) => typeof each !== 'object')

/** The prices of an object that groups them in lists by type or by currency, as the entries of a page; undefined when it has none. */
export function gatherPrices(value: Fields): { entries: unknown[]; next?: unknown; count?: unknown } | undefined {
  const holder = isRecord(value.data) ? value.data : value
  const lists = Object.entries(holder).filter((each): each is [string, Fields[]] => Array.isArray(each[1]) && each[1].some(isRecord))
  if (lists.length === 0) return undefined
  const describe = (name: string, price: Fields) => {
    if (OPTIONS.test(plain(name))) return { ...price, type: 'option' }
    return /^[a-z]{3}$/i.test(name) ? { currency: name, ...price } : price
  }
  return { entries: lists.flatMap(([name, prices]) => prices.map((price) => describe(name, price))) }
}

/** `onMoved` receives the fields found at other places, and those not found at all. */
export function reshapePrice(value: unknown, onMoved: (path: string, habit: 'other-place' | 'absent') => void): unknown {
  if (!isRecord(value)) return value
  const inner = findObject([value], PRICES)
  const itself = [inner, value].filter(isRecord)
  const layers = [...itself, findObject(itself, PRODUCTS)].filter(isRecord)
  const metadata = Object.assign({}, ...layers.map(readMetadata).toReversed()) as Fields
  const all = [metadata, ...layers]
  const types = list(all, TYPES).map(plain)
  const stated = readMonths(all, PERIODS)
  const recurring = readRecurring(itself, types, stated)
  const months = stated ?? countMonths(recurring ?? undefined)
  const taken: Fields = {
    id: findScalar(itself, IDS),
    type: isOption(types, findScalar(layers, NAMES)) ? 'option' : 'plan',
    name: findScalar(layers, NAMES),
    currency: findScalar(layers, CURRENCIES) ?? findScalar([findObject(layers, CURRENCIES) ?? {}], ['code', 'id']),
    unit_amount: findScalar(itself, AMOUNTS),
    tax_behavior: findScalar(layers, ['tax_behavior']),
  }
  for (const [key, found] of Object.entries(taken)) {
    const isAbsent = key === 'type' && types.length === 0
    if (found !== undefined && value[key] !== found) onMoved(key, isAbsent ? 'absent' : 'other-place')
  }
  if (months !== undefined && findPath(value, 'meta_data.months') === undefined) onMoved('meta_data.months', 'other-place')
  if (recurring?.interval !== UNKNOWN_INTERVAL && !isSame(recurring, value.recurring)) onMoved('recurring', 'other-place')
  return { ...taken, recurring, meta_data: { months: metadata.months ?? months, extra: findScalar(all, EXTRAS) } }
}

const readMetadata = (fields: Fields): Fields => Object.assign({}, ...list([fields], ['metadata', 'meta_data']).filter(isRecord))

const isSame = (period: Period | null, given: unknown) =>
  period === null ? given === null : isRecord(given) && given.interval === period.interval && given.interval_count === period.interval_count

/** A price named neither way may have the name of a known option. */
const isOption = (types: readonly string[], name: unknown) =>
  types.some((type) => OPTIONS.test(type)) || (!types.includes('plan') && plain(name) === 'care')

/** Stripe lists prices that are no longer sold. */
export const isOnOffer = (entry: unknown) =>
  !(isRecord(entry) && [entry, findObject([entry], PRICES), findObject([entry], PRODUCTS)].some((each) => each?.active === false))

/** The months that a price states besides its renewal. A small number of a yearly price counts years. */
function readMonths(all: readonly Fields[], periods: readonly string[]): number | undefined {
  const months = Number(findScalar(all, MONTHS) ?? Number.NaN)
  if (Number.isFinite(months)) return months
  const [duration] = list(all, DURATIONS)
  const count = typeof duration === 'object' || duration === undefined ? Number.NaN : Number(duration)
  if (!Number.isFinite(count)) return countMonths(readPeriod(duration))
  const unit = readPeriod(findScalar(all, DURATION_UNITS)) ?? (count < 12 ? readPeriod(list(all, periods)[0]) : undefined)
  return unit?.interval === 'year' ? count * 12 : count
}

/** How a price renews: null when it does not, `unknown` when it does not say. */
function readRecurring(itself: readonly Fields[], types: readonly string[], months: number | undefined): Period | null {
  const [given] = list(itself, PERIODS)
  const count = findScalar(itself, ['interval_count'])
  const period = readPeriod(typeof given === 'string' && count !== undefined ? { interval: given, interval_count: count } : given)
  if (period) {
    const { interval, interval_count, isCounted } = period
    const isLonger = !isCounted && interval === 'year' && months !== undefined && months > 0 && months % 12 === 0
    return { interval, interval_count: isLonger ? months / 12 : interval_count }
  }
  const words = [...(given === undefined ? [] : [plain(given)]), ...types]
  if (words.some((word) => ONCE.test(word))) return null
  const renewed: Period = months ? { interval: 'month', interval_count: months } : { interval: UNKNOWN_INTERVAL, interval_count: 1 }
  if (words.some((word) => RENEWING.test(word))) return renewed
  // Many backends omit null values.
  const isNone = itself.some(({ recurring }) => recurring === null) || types.includes('plan') || types.includes('option')
  return isNone ? null : { interval: UNKNOWN_INTERVAL, interval_count: 1 }
}

/** Reads periods as many backends write them: `P1Y`, `12 months`, `yearly`, `{ interval: 'year', interval_count: 1 }`. */
type Period = { interval: string; interval_count: number }

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
function readPeriod(value: unknown): (Period & { isCounted: boolean }) | undefined {
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
function countMonths(period: Period | undefined): number | undefined {
  if (period?.interval === 'year') return period.interval_count * 12
  return period?.interval === 'month' ? period.interval_count : undefined
}
