import { addDays, localDay } from '#contracts/rules/local-day.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { instantOf } from './schedule.ts'

/**
 * A weekly period, such as 22:00 to 7:00 of the next day, that begins on some days of the week (1 is Monday). With two equal times it lasts
 * for 24 hours.
 */
export type QuietSpan = { days: number[]; from: string; to: string }

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

/** The span of a daily period. */
export const dailySpan = ({ from, to }: { from: string; to: string }) => ({ days: [...EVERY_DAY], from, to })

export const isDaily = ({ days }: QuietSpan) => EVERY_DAY.every((day) => days.includes(day))

const WEEK_MS = 7 * DAY_MS
/** In a week in which the clocks skip the only minutes without quiet hours, these do not end. */
const LONGEST_MS = 2 * WEEK_MS

/** Returns when (ms) the quiet hours end that an instant (ms) lies in: all spans that overlap or touch count as one. Null outside of them. */
export function findQuietEnd(at: number, spans: readonly QuietSpan[], timeZone: string): number | null {
  let end = at
  while (end - at < LONGEST_MS) {
    const next = endOfSpans(end, spans, timeZone)
    if (next === null) break
    end = next
  }
  return end > at ? end : null
}

/** The latest end (ms) of the spans that an instant lies in; none lasts longer than into the day after its beginning. */
function endOfSpans(at: number, spans: readonly QuietSpan[], timeZone: string): number | null {
  const today = localDay(at, timeZone)
  const ends = [addDays(today, -1), today].flatMap((day) =>
    spans.filter(({ days }) => days.includes(weekdayOf(day))).flatMap((span) => endIfWithin(at, span, { day, timeZone }) ?? []),
  )
  return ends.length > 0 ? Math.max(...ends) : null
}

/** The end (ms) of the span that begins on a day, if an instant lies in it. A night in which the clocks change has one beginning and one end. */
function endIfWithin(at: number, { from, to }: QuietSpan, { day, timeZone }: { day: string; timeZone: string }): number | null {
  if (at < instantOf(day, from, timeZone)) return null
  const end = instantOf(from < to ? day : addDays(day, 1), to, timeZone, 'last')
  return at < end ? end : null
}

/** Monday is 1, Sunday is 7. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Whether the spans leave any time of the week in which alerts come. */
export const leavesTime = (spans: readonly QuietSpan[]) => (findQuietEnd(0, spans, 'UTC') ?? 0) < WEEK_MS
