import { useSyncExternalStore } from 'react'
import { formatPrice } from '#contracts/rules/price.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '#contracts/rules/time.ts'
import { storage } from '#web/lib/storage.ts'

/** Units of distances and speeds; `auto` follows the region of the browser. */
export const UNITS = ['auto', 'km', 'miles'] as const
type Units = (typeof UNITS)[number]

const listeners = new Set<() => void>()

const read = (): Units => UNITS.find((known) => known === storage.get('units')) ?? 'auto'

/** Stored in this browser, not in the account. */
export function saveUnits(units: Units) {
  if (units === 'auto') storage.remove('units')
  else storage.set('units', units)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useUnits = () => useSyncExternalStore(subscribe, read)

/** The browser's regional tag for the language, so that `en` in a browser set to `en-GB` is formatted the British way. */
export const regionalTag = (language: string, browserLanguages: readonly string[]) =>
  browserLanguages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language

/** Intl formats are expensive to create, so one per locale and kind is cached. */
const cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>()
const getOrCreate = <T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(key: string, make: () => T): T => {
  const known = cache.get(key)
  if (known) return known as T
  const format = make()
  cache.set(key, format)
  return format
}

const date = (locale: string, kind: string, options: Intl.DateTimeFormatOptions) =>
  getOrCreate(`${locale} ${kind}`, () => new Intl.DateTimeFormat(locale, options))
const number = (locale: string, kind: string, options: Intl.NumberFormatOptions) =>
  getOrCreate(`${locale} ${kind}`, () => new Intl.NumberFormat(locale, options))
const unit = (locale: string, name: string, digits: number) =>
  number(locale, `${name}${digits}`, { style: 'unit', unit: name, maximumFractionDigits: digits })

/** Shown for missing and unreadable values: not every backend sends everything. */
const NOTHING = '–'

const formatNumber = (value: number | null | undefined, format: (value: number) => string) =>
  typeof value === 'number' && Number.isFinite(value) ? format(value) : NOTHING

const formatAt = (at: Instant | null | undefined, format: (at: Date) => string) => {
  const instant = new Date(at ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? NOTHING : format(instant)
}

/** Makes number formatters safe for values that are not numbers. */
const forgive = <K extends string>(formats: Record<K, (value: number) => string>) =>
  Object.fromEntries(
    Object.entries<(value: number) => string>(formats).map(([name, format]) => [
      name,
      (value: number | null | undefined) => formatNumber(value, format),
    ]),
  ) as Record<K, (value: number | null | undefined) => string>

const FOOT = { name: 'foot', meters: 0.3048 }
/** Regions with miles, and their unit for a distance shorter than half a mile; all others use metres and kilometres. */
const MILES: Partial<Record<string, typeof FOOT>> = { US: FOOT, LR: FOOT, MM: FOOT, GB: { name: 'yard', meters: 0.9144 } }
/** Britain measures heights and accuracies in metres. */
const METER = { name: 'meter', meters: 1 }
const MILE_M = 1609.344

const metricFormats = (locale: string) => {
  const distance = (meters: number) =>
    meters < 999.5 ? unit(locale, 'meter', 0).format(meters) : unit(locale, 'kilometer', meters < 99_950 ? 1 : 0).format(meters / 1000)
  return {
    /** In metres below 1 km, with one decimal below 100 km. */
    distance,
    /** A distance that a user chose, which is stored in whole metres. */
    setDistance: distance,
    meters: (meters: number) => unit(locale, 'meter', 0).format(meters),
    speed: (kmh: number) => unit(locale, 'kilometer-per-hour', 0).format(kmh),
  }
}

const imperialFormats = (locale: string, short: typeof FOOT): ReturnType<typeof metricFormats> => {
  const inUnit = (value: number, { name, meters }: typeof FOOT) => unit(locale, name, 0).format(value / meters)
  const miles = (value: number) => unit(locale, 'mile', value < 99.95 ? 1 : 0).format(value)
  return {
    distance: (value) => (value < MILE_M / 2 ? inUnit(value, short) : miles(value / MILE_M)),
    setDistance: (value) =>
      value < MILE_M / 2 ? unit(locale, short.name, 0).format(roundestNumber(value, short.meters)) : miles(value / MILE_M),
    meters: (value) => inUnit(value, short === FOOT ? FOOT : METER),
    speed: (kmh) => unit(locale, 'mile-per-hour', 0).format((kmh * 1000) / MILE_M),
  }
}

/**
 * The roundest number of a unit that is stored as these whole metres or km/h: 1000 feet are stored as 305 m, which are nearly 1001 feet.
 * `size` is the unit in metres or km/h.
 */
export function roundestNumber(stored: number, size: number) {
  const rounded = ROUNDINGS.map((step) => Math.round(stored / size / step) * step)
  return rounded.find((number) => Math.round(number * size) === stored) ?? Math.round(stored / size)
}
const ROUNDINGS = [100, 50, 10, 5, 1] as const

/** A unit in which users enter a number. `size` is in metres or km/h. */
export type InputUnit = { symbol: string; size: number }

const createInputUnit = (locale: string, name: string, size: number): InputUnit => ({
  symbol:
    unit(locale, name, 0)
      .formatToParts(2)
      .find(({ type }) => type === 'unit')?.value ?? '',
  size,
})

/** Formats distances and speeds, given in metres and km/h, in the chosen units or those of the region. */
function measureFormats(locale: string, units: Units) {
  const ofRegion = MILES[new Intl.Locale(locale).region ?? '']
  const short = { auto: ofRegion, km: undefined, miles: ofRegion ?? FOOT }[units]
  return {
    ...forgive(short ? imperialFormats(locale, short) : metricFormats(locale)),
    /** The units in which users enter distances and speeds. */
    inputUnits: () => ({
      distance: createInputUnit(locale, (short ?? METER).name, (short ?? METER).meters),
      speed: short ? createInputUnit(locale, 'mile-per-hour', MILE_M / 1000) : createInputUnit(locale, 'kilometer-per-hour', 1),
    }),
  }
}

const amountFormats = (locale: string) => ({
  /** `fraction` is between 0 and 1. */
  percent: (fraction: number) => number(locale, 'percent', { style: 'percent', maximumFractionDigits: 0 }).format(fraction),
  number: (value: number) => number(locale, 'number', {}).format(value),
  /** 1 h 5 min, in whole minutes; days are given in hours. */
  duration: (ms: number) => {
    const minutes = Math.max(0, Math.round(ms / MINUTE_MS))
    const [h, min] = [Math.floor(minutes / 60), minutes % 60]
    // Intl has the symbols h and min only in some languages: in French, but not in English.
    const symbols = /^en/.test(locale) ? 'fr' : locale
    const parts = [
      ...(h > 0 ? [unit(symbols, 'hour', 0).format(h)] : []),
      ...(min > 0 || h === 0 ? [unit(symbols, 'minute', 0).format(min)] : []),
    ]
    return parts.join(' ')
  },
})

const dateFormats = (locale: string) => {
  const create = (kind: string, options: Intl.DateTimeFormatOptions) => (at: Instant | null | undefined) =>
    formatAt(at, (instant) => date(locale, kind, options).format(instant))
  return {
    /** 2 Mar 2026 */
    date: create('date', { dateStyle: 'medium' }),
    /** Monday, 2 March */
    day: create('day', { weekday: 'long', day: 'numeric', month: 'long' }),
    /** Mon, 2 Mar */
    shortDay: create('shortDay', { weekday: 'short', day: 'numeric', month: 'short' }),
    /** March 2026 */
    month: create('month', { month: 'long', year: 'numeric' }),
    /** 14:05 */
    time: create('time', { timeStyle: 'short' }),
    /** 14, or 2 PM */
    hour: (at: Instant | null | undefined) =>
      formatAt(at, (instant) =>
        date(locale, 'hour', { hour: 'numeric' })
          .formatToParts(instant)
          .flatMap(({ type, value }) => (type === 'hour' || type === 'dayPeriod' ? [value] : []))
          .join(' '),
      ),
    /** 2 */
    dayOfMonth: create('dayOfMonth', { day: 'numeric' }),
    /** Monday 14:05 */
    weekdayTime: create('weekdayTime', { weekday: 'long', hour: 'numeric', minute: '2-digit' }),
    /** 14:05:09 */
    exactTime: create('exactTime', { timeStyle: 'medium' }),
    /** 2 Mar 2026, 14:05 */
    dateTime: create('dateTime', { dateStyle: 'medium', timeStyle: 'short' }),
  }
}

/** Formats dates, amounts and measures for a language, its region and the user's time zone; `–` for unreadable values. */
export const createFormats = (locale: string, units: Units = 'auto') => ({
  ...measureFormats(locale, units),
  ...forgive(amountFormats(locale)),
  ...dateFormats(locale),
  /** "5 minutes ago"; "now" for a time in the future, because a tracker's clock may be fast. */
  age: (at: Instant | null | undefined, now: Date) =>
    formatAt(at, (instant) => {
      const [value, name] = largestUnit(Math.max(0, now.getTime() - instant.getTime()))
      return getOrCreate(`${locale} age`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })).format(
        -value,
        name,
      )
    }),
  price: (minorUnits: number | null | undefined, currency: string) =>
    formatNumber(minorUnits, (amount) => formatPrice(amount, currency, locale)),
})

export type Formats = ReturnType<typeof createFormats>

const largestUnit = (ms: number): [number, Intl.RelativeTimeFormatUnit] => {
  if (ms < MINUTE_MS) return [0, 'second']
  if (ms < HOUR_MS) return [Math.floor(ms / MINUTE_MS), 'minute']
  return ms < DAY_MS ? [Math.floor(ms / HOUR_MS), 'hour'] : [Math.floor(ms / DAY_MS), 'day']
}
