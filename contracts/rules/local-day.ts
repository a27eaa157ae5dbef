import { DAY_MS } from './time.ts'

/** A calendar day, as `2026-03-02`. */
export type Day = string

/** Names of zones also differ in case, so a caller could make up any number of them. */
const MAX_FORMATS = 500
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const made = new Intl.DateTimeFormat('sv', { ...parts, timeZone, hourCycle: 'h23', numberingSystem: 'latn', calendar: 'iso8601' })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(timeZone, made)
  return made
}

/** The local date and time at an instant (ms), encoded as if it were UTC. */
export const wallTime = (at: number, timeZone: string) => Date.parse(`${formatIn(timeZone).format(at).replace(' ', 'T')}Z`)

/** The day that an instant (ms) belongs to in a time zone. */
export const localDay = (at: number, timeZone: string): Day => formatIn(timeZone).format(at).slice(0, 10)

/**
 * The first instant (ms) of a day in a time zone. Like `new Date(year, month, day)`, it takes the earlier of two midnights, and the end of
 * the gap where the clocks skip midnight.
 */
export function startOfLocalDay(day: Day, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map((at) => midnight - (wallTime(at, timeZone) - at))
  const fits = [before, after].filter((at): at is number => at !== undefined && wallTime(at, timeZone) === midnight)
  return fits.length > 0 ? Math.min(...fits) : before!
}

/** Days are counted in UTC, where each day has 24 hours. */
export const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

/** The number of days from the first to the last one, both included; 0 or less in the wrong order. */
export const countDays = (from: Day, to: Day) => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1

/** Whether the day exists in the calendar; years have four digits. */
export const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && addDays(text, 0) === text
