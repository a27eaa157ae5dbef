import { isPairRule, type Rule } from './rule.ts'

const unit = (locale: string, name: string, digits = 0) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits })

/** `120` as "2 hr", `90` as "90 min". */
const formatMinutes = (locale: string, minutes: number) =>
  minutes % 60 === 0 ? unit(locale, 'hour').format(minutes / 60) : unit(locale, 'minute').format(minutes)

/** A time of day such as `08:30`. */
export const formatClock = (locale: string, time: string) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}:00Z`))

/** A level of the battery: up to 100 it is a percentage, above that millivolts. */
const formatLevel = (locale: string, level: number) =>
  level <= 100
    ? new Intl.NumberFormat(locale, { style: 'percent' }).format(level / 100)
    : `${new Intl.NumberFormat(locale, { useGrouping: false }).format(level)} mV`

/** Tens of metres, and from a kilometre on tenths of kilometres, because positions are not more precise. */
export const formatMeters = (locale: string, meters: number) =>
  meters < 1000
    ? unit(locale, 'meter').format(Math.round(meters / 10) * 10)
    : unit(locale, 'kilometer', meters < 100_000 ? 1 : 0).format(meters / 1000)

/** How a user reads speeds (km/h) and distances (m). */
type Formats = { speed: (kmh: number) => string; distance: (meters: number) => string }

const createFormats = (locale: string): Formats => ({
  speed: (kmh) => unit(locale, 'kilometer-per-hour').format(kmh),
  distance: (meters) => formatMeters(locale, meters),
})

/** The values of a rule, by the names that sentences have for them. */
export function formatRuleValues(
  rule: Rule | null | undefined,
  locale: string,
  { speed, distance }: Formats = createFormats(locale),
): Record<string, string> {
  if (!rule) return {}
  if (rule.kind === 'battery') return { below: formatLevel(locale, rule.below) }
  if (rule.kind === 'stands') return { minutes: formatMinutes(locale, rule.minutes) }
  if (rule.kind === 'speed') return { over: speed(rule.over), seconds: formatSeconds(locale, rule.seconds) }
  if (rule.kind === 'not_arrived' || rule.kind === 'not_left') return { by: formatClock(locale, rule.by) }
  if (rule.kind === 'unusual') return rule.meters === undefined ? {} : { distance: distance(rule.meters) }
  return isPairRule(rule) ? { meters: distance(rule.meters) } : {}
}

const formatSeconds = (locale: string, seconds: number) =>
  seconds > 0 && seconds % 60 === 0 ? formatMinutes(locale, seconds / 60) : unit(locale, 'second').format(seconds)
