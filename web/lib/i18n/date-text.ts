const MINUTES_A_DAY = 24 * 60

/**
 * Minutes after midnight of a typed time, such as `15:00`, `15.00`, `1500`, `15 h`, `3 pm` or `3:07 p.m.`; null for anything else. Hours
 * without am or pm are those of the 24-hour clock.
 */
export function parseClockText(text: string): number | null {
  const match = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2})|(\d{2}))?\s*(?:h|Uhr|klo|kl)?\.?\s*(?:(a|p)\.?\s?m\.?)?$/i.exec(text.trim())
  if (!match) return null
  const half = match[4]?.toLowerCase()
  const hour = Number(match[1])
  if (half && (hour < 1 || hour > 12)) return null
  const minutes = (half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour) * 60 + Number(match[2] ?? match[3] ?? 0)
  return Number(match[2] ?? match[3] ?? 0) < 60 && minutes <= MINUTES_A_DAY ? minutes : null
}

/** `15:00`, for the address of a page. */
export const formatClockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

type Part = 'day' | 'month' | 'year'

const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year'

const numeric = (locale: string) => new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric' })

/** A calendar day in the digits of a locale: `2026-02-24` as `24.02.2026` or `02/24/2026`. */
export const formatDateText = (day: string, locale: string) => numeric(locale).format(new Date(`${day}T12:00`))

/**
 * The calendar day of a typed date, as `2026-02-24`; null if there is none. The order of day, month and year is that of the locale, or
 * year, month, day if the first number has four digits. A year of two digits is of this century.
 */
export function parseDateText(text: string, locale: string): string | null {
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length !== 3 || /[^\d\s.,/\-年月日]/.test(text)) return null
  const order = numeric(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isPart)
  const parts = Object.fromEntries(
    (numbers[0]?.length === 4 ? (['year', 'month', 'day'] as const) : order).map((part, index) => [part, Number(numbers[index])]),
  ) as Record<Part, number>
  const year = parts.year < 100 ? 2000 + parts.year : parts.year
  const at = new Date(year, parts.month - 1, parts.day, 12)
  const isReal = at.getFullYear() === year && at.getMonth() === parts.month - 1 && at.getDate() === parts.day
  return isReal ? [String(year).padStart(4, '0'), ...[parts.month, parts.day].map((part) => String(part).padStart(2, '0'))].join('-') : null
}

/** A local date and time, `2026-02-24T15:00`, in the digits of a locale. */
export const formatDateTimeText = (value: string, locale: string) =>
  `${formatDateText(value.slice(0, 10), locale)} ${new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(value))}`

/** The local date and time of a typed text, as `2026-02-24T15:00`; null if there is none. */
export function parseDateTimeText(text: string, locale: string): string | null {
  const [, date = '', clock = ''] = /^\s*(\d+\D{1,3}\d+\D{1,3}\d{1,4}[.日]?)[\s,T]+(.+)$/.exec(text) ?? []
  const [day, minutes] = [parseDateText(date, locale), parseClockText(clock)]
  return day === null || minutes === null || minutes === MINUTES_A_DAY ? null : `${day}T${formatClockText(minutes)}`
}
