import { MINUTE_MS } from '#contracts/rules/time.ts'

/** The largest difference between two clocks that puts neither in doubt. */
const MAX_OFFSET_MS = 5 * MINUTE_MS

/**
 * The references for this server's clock: that of the database server if it has its own, the newest instant that a server saved, and an
 * outside clock, which is read only when the newest instant is not enough. `isJump`: whether `newest` is what the clock would show without
 * a jump.
 */
export type Evidence = { now: Date; database: Date | null; newest: Date | null; isJump?: boolean; outside: Date | null }

/** `offset`: milliseconds by which the clock is ahead of its reference. `reason` is one sentence, null when the clock is right. */
export type Verdict = { offset: number; reason: string | null }

export const isNear = (a: Date, b: Date) => Math.abs(a.getTime() - b.getTime()) <= MAX_OFFSET_MS

/**
 * Judges the clock. The database may run on the same machine, so its agreement proves nothing; nor does a gap, because no server may have
 * run for a while. An outside clock decides in both cases.
 */
export function judgeClock({ now, database, newest, isJump = false, outside }: Evidence): Verdict {
  if (database && !isNear(now, database)) return doubt(now, database, 'the clock of the database', 'set both right')
  const isUsual = !newest || isNear(now, newest)
  if (isUsual || (outside && isNear(now, outside))) return { offset: database ? now.getTime() - database.getTime() : 0, reason: null }
  if (outside) return doubt(now, outside, 'the clock of the card provider', REMEDY)
  return doubt(now, newest, isJump ? 'what it would show without a jump' : 'the newest entry of the database', REMEDY)
}

const REMEDY = 'set it right, or confirm it with "node dist/server/operator.js clock accept"'

function doubt(now: Date, other: Date, name: string, remedy: string): Verdict {
  const offset = now.getTime() - other.getTime()
  const direction = offset > 0 ? 'ahead of' : 'behind'
  const [here, there] = [now, other].map((date) => date.toISOString())
  return { offset, reason: `The clock of this server (${here}) is ${describeSpan(offset)} ${direction} ${name} (${there}): ${remedy}.` }
}

const UNITS = [
  { name: 'day', minutes: 24 * 60 },
  { name: 'hour', minutes: 60 },
  { name: 'minute', minutes: 1 },
]

/** Formats a time span in the largest unit of which it has at least two, such as `36 hours`. */
export function describeSpan(ms: number) {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS)
  const unit = UNITS.find((one) => minutes >= 2 * one.minutes) ?? UNITS[2]!
  const count = Math.floor(minutes / unit.minutes)
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}
