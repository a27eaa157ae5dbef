import { addDays, localDay, startOfLocalDay, wallTime } from '#contracts/rules/local-day.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Schedule } from './rule.ts'

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Monday is 1, Sunday is 7; `wall` is a local time encoded as UTC. */
const weekday = (wall: number) => new Date(wall).getUTCDay() || 7

/** Whether an instant (ms) lies within a schedule; always without one. */
export function isScheduled(schedule: Schedule | null, at: number, timeZone: string): boolean {
  if (schedule === null) return true
  const wall = wallTime(at, timeZone)
  const minute = Math.floor((wall % DAY_MS) / MINUTE_MS)
  const [from, to] = [minutesOf(schedule.from), minutesOf(schedule.to)]
  const isOn = (dayBefore: number) => schedule.days.includes(weekday(wall - dayBefore * DAY_MS))
  // The end of a period that spans midnight belongs to the day before.
  return from < to ? minute >= from && minute < to && isOn(0) : (minute >= from && isOn(0)) || (minute < to && isOn(1))
}

/** Whether a time of day can lie within a schedule on any of its days. */
export function containsTime({ from, to }: Pick<Schedule, 'from' | 'to'>, time: string): boolean {
  const [start, end, minute] = [minutesOf(from), minutesOf(to), minutesOf(time)]
  return start < end ? minute >= start && minute < end : minute >= start || minute < end
}

/** How far clocks are moved, in minutes. */
const CLOCK_CHANGES = [-60, -30, 0, 30, 60]

/** The instant (ms) of a time of day; the end of the gap if the clocks skip it, and the first or last one if it comes twice. */
export function instantOf(day: string, time: string, timeZone: string, which: 'first' | 'last' = 'first'): number {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  const start = startOfLocalDay(day, timeZone)
  const guess = start + minutesOf(time) * MINUTE_MS
  const candidates = CLOCK_CHANGES.map((minutes) => guess + minutes * MINUTE_MS).filter((at) => wallTime(at, timeZone) === wanted)
  const found = which === 'first' ? candidates[0] : candidates.at(-1)
  if (found !== undefined) return found
  // The clocks skip this time. Before the change the day is as long as usual.
  let instant = guess - 60 * MINUTE_MS
  while (wallTime(instant, timeZone) < wanted) instant += MINUTE_MS
  return instant
}

/** Days after which a weekly schedule has come round. */
const DAYS_AHEAD = 9

/** The next instant (ms) after `after` at which it is that time on a day of the schedule. */
export function nextDeadline(by: string, schedule: Schedule | null, after: number, timeZone: string): number | null {
  let day = localDay(after, timeZone)
  for (let count = 0; count < DAYS_AHEAD; count++, day = addDays(day, 1)) {
    const at = instantOf(day, by, timeZone)
    if (at > after && isOnSchedule(schedule, day, by)) return at
  }
  return null
}

/** By the calendar, since the clocks may skip the time itself. */
function isOnSchedule(schedule: Schedule | null, day: string, by: string): boolean {
  return schedule === null || isScheduled(schedule, Date.parse(`${day}T${by}:00Z`), 'UTC')
}
