import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { isTooLong, toAscii } from './number.ts'

/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MOST_SECONDS = 1e11
/** End of the year 9999, the last with four digits. Larger numbers are microseconds, and a thousand times larger ones nanoseconds. */
const LAST_MS = 253_402_300_799_999

const NUMBER = /^\d+(?:[.,]\d+)?(?:e\+?\d\d?)?$/i
/** `yyyyMMddHHmmss` is no time in milliseconds: those would be after the year 2500. */
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)[T ]?(\d\d)(\d\d)(\d\d)(?:[.,](\d+))?(.*)$/i
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?Z?$/i

/** `time`: a date without a time of day is rejected. `date`: it means the midnight (UTC) at which it begins. */
export type LeastPrecision = 'time' | 'date'

/**
 * Reads an instant, in milliseconds since 1970; NaN for anything else. Takes Unix seconds, milliseconds, microseconds and nanoseconds; ISO
 * 8601 and its relatives with `/` and `.`; local dates whose day and month cannot be mixed up; all in UTC unless a zone is given. Impossible
 * dates, years of two digits and dates such as 03/04/2026 are refused, never guessed.
 */
export function readTime(value: unknown, least: LeastPrecision = 'time'): number {
  if (typeof value === 'number') return (isCompact(value) ? fromCompact(String(value)) : undefined) ?? fromNumber(value)
  if (typeof value !== 'string' || isTooLong(value)) return Number.NaN
  const iso = ISO.exec(value)
  if (iso) return buildTime(iso[1], iso[2], iso[3], iso[4], iso[5], iso[6], iso[7], 0)
  const text = toAscii(value).trim()
  const compact = fromCompact(text)
  if (compact !== undefined) return compact
  const isDay = least === 'date' && COMPACT_DATE.test(text)
  return NUMBER.test(text) && !isDay ? fromNumber(Number(text.replace(',', '.'))) : fromText(text, least)
}

/** Whether a text counts milliseconds since 1970. */
export const isInMilliseconds = (text: string) => NUMBER.test(text) && Number(text) > MOST_SECONDS && Number(text) <= LAST_MS

const isCompact = (value: number) => value > 1.9e13 && value < 2.1e13

function fromNumber(value: number) {
  if (!(value >= 0)) return Number.NaN
  if (value <= MOST_SECONDS) return Math.floor(value * 1000)
  if (value <= LAST_MS) return Math.floor(value)
  const ms = Math.floor(value / (value <= LAST_MS * 1000 ? 1e3 : 1e6))
  return ms <= LAST_MS ? ms : Number.NaN
}

function fromCompact(text: string): number | undefined {
  const found = COMPACT.exec(text)
  if (!found) return undefined
  const offset = readZone(found[8] ?? '') ?? Number.NaN
  const ms = buildTime(found[1], found[2], found[3], found[4], found[5], found[6], found[7], offset)
  return Number.isNaN(ms) ? undefined : ms
}

type Digits = string | undefined

/** Date and time of day in a zone `offset` minutes east of Greenwich; NaN if any part is out of range. */
function buildTime(
  year: Digits,
  month: Digits,
  day: Digits,
  hour: Digits,
  minute: Digits,
  second: Digits,
  fraction: Digits,
  offset: number,
) {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const [h, min, s] = [Number(hour), Number(minute), Number(second ?? 0)]
  if (m < 1 || m > 12 || d < 1 || d > daysOfMonth(y, m) || h > 23 || min > 59 || s > 59) return Number.NaN
  const midnight = y > 99 ? Date.UTC(y, m - 1, d) : Number.NaN
  const ms = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const at = midnight + ((h * 60 + min - offset) * 60 + s) * 1000 + ms
  return at >= 0 && at <= LAST_MS ? at : Number.NaN
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const daysOfMonth = (year: number, month: number) =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : DAYS[month - 1]!

const YEAR_FIRST = /^(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?(?!\d)/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)(?=[T ]|$)/i
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]? /i
const DAY_MONTH = /^(\d{1,2})\.?[ -]([a-z]{3,9})[.,]?[ -](\d{4})(?!\d)/i
const MONTH_DAY = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?!\d)/i
/** As Java and C print it, with the year at the end. */
const YEAR_AT_END = /^([a-z]{3}) +(\d{1,2}) (\d\d:\d\d:\d\d(?: [A-Z]{3,4})?) (\d{4})$/i
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const LONG_MONTHS = /^(january|february|march|april|may|june|july|august|sept(ember)?|october|november|december)$/i

type DateText = { year: string; month: string; day: string; rest: string }

function fromText(given: string, least: LeastPrecision) {
  const text = given.replace(WEEKDAY, '').replace(YEAR_AT_END, '$1 $2 $4 $3')
  const date = findDate(text)
  if (!date) return Number.NaN
  const { year, month, day, rest } = date
  if (rest === '') return least === 'date' ? buildTime(year, month, day, '0', '0', '0', undefined, 0) : Number.NaN
  const clock = CLOCK.exec(rest)
  const offset = readZone(clock?.[7] ?? '')
  if (!clock || offset === undefined) return Number.NaN
  return buildTime(year, month, day, readHour(clock[1], clock[6]), clock[3], clock[4], clock[5], offset)
}

function findDate(text: string): DateText | undefined {
  const first = YEAR_FIRST.exec(text)
  if (first) return { year: first[1]!, month: first[3]!, day: first[4]!, rest: text.slice(first[0].length) }
  const compact = COMPACT_DATE.exec(text)
  if (compact) return { year: compact[1]!, month: compact[2]!, day: compact[3]!, rest: text.slice(compact[0].length) }
  const last = YEAR_LAST.exec(text)
  if (last) return orderDate(last, text)
  const [dayMonth, monthDay] = [DAY_MONTH.exec(text), MONTH_DAY.exec(text)]
  const named = dayMonth ?? monthDay
  const month = findMonth(dayMonth?.[2] ?? monthDay?.[1] ?? '')
  if (!named || month === 0) return undefined
  return { year: named[3]!, month: String(month), day: (dayMonth?.[1] ?? monthDay?.[2])!, rest: text.slice(named[0].length) }
}

/** With dots the day comes first. Otherwise only a number above 12 shows which one is the day. */
function orderDate([all, a = '', separator, b = '', year = '']: RegExpExecArray, text: string): DateText | undefined {
  const rest = text.slice(all.length)
  if (separator === '.' || Number(a) > 12 || a === b) return { year, month: b, day: a, rest }
  return Number(b) > 12 ? { year, month: a, day: b, rest } : undefined
}

const findMonth = (name: string) => (name.length === 3 || LONG_MONTHS.test(name) ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 : 0)

/** Hour, separator, minute, second, fraction, half of the day, zone. */
const CLOCK = /^(?:T|,? )(\d{1,2})([:.])(\d\d)(?:\2(\d\d)(?:[.,](\d+))?)?(?: ?([ap])\.?m\.?)?(.*)$/i

/** Converts an hour with am or pm to 24 hours; undefined unless it is 1 to 12. */
function readHour(hour: Digits, half: Digits): Digits {
  if (half === undefined) return hour
  const h = Number(hour)
  return h < 1 || h > 12 ? undefined : String((h % 12) + (half.toLowerCase() === 'p' ? 12 : 0))
}

/** `Z`, `UTC` or `GMT`, or an offset with or without them; a plus that is not escaped in a query arrives as a blank. */
const ZONE = /^(?: ?(?:Z|UTC|GMT|UT)| ?(?:UTC|GMT|UT)? ?([+-])(\d{1,2})(?::?([0-5]\d))?(?::?00)?| (\d\d)(?::?([0-5]\d))?)$/i
/** The name of the zone next to its offset, as Java and browsers add it. */
const ZONE_NAME = / ?(?:\[[\w/+-]+\]|\([^()]*\))$/
/** The largest offset that any zone ever had, rounded up. */
const MOST_OFFSET = 16 * 60

/** Minutes east of Greenwich, 0 for an empty text; undefined for an invalid zone. */
function readZone(text: string): number | undefined {
  if (text === '') return 0
  const found = ZONE.exec(text) ?? ZONE.exec(text.replace(ZONE_NAME, ''))
  if (!found) return undefined
  const minutes = Number(found[2] ?? found[4] ?? 0) * 60 + Number(found[3] ?? found[5] ?? 0)
  return minutes >= MOST_OFFSET ? undefined : found[1] === '-' ? -minutes : minutes
}

/** Receivers count weeks with ten bits, so an old one reports a time that is 1024 weeks too early, or 2048. */
const ROLLOVER_MS = 1024 * 7 * DAY_MS
const RECENT = { ahead: 10 * MINUTE_MS, age: 30 * DAY_MS } as const

/** Corrects the time of a receiver whose count of weeks has rolled over, if that makes it recent; any other time stays. Milliseconds. */
export function correctRollover(at: number, now: number): number {
  for (const corrected of [at + ROLLOVER_MS, at + 2 * ROLLOVER_MS]) {
    const age = now - corrected
    if (age >= -RECENT.ahead && age <= RECENT.age) return corrected
  }
  return at
}
