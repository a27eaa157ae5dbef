import { MINUTE_MS } from '#contracts/rules/time.ts'

/** By how much two clocks may differ before one of them is in doubt. */
const MAX_OFFSET_MS = 5 * MINUTE_MS

/**
 * What the clock of this server is compared with: that of the database where it has one, the newest instant that a server saved, and a clock
 * elsewhere, which is read only when the newest instant is not enough. `isJump`: whether `newest` is what the clock would show without a jump.
 */
export type Evidence = { now: Date; database: Date | null; newest: Date | null; isJump?: boolean; outside: Date | null }

/** `offset`: by how many milliseconds the clock is ahead of what it was compared with. `reason` is one sentence, null when it is right. */
export type Verdict = { offset: number; reason: string | null }

export const isNear = (a: Date, b: Date) => Math.abs(a.getTime() - b.getTime()) <= MAX_OFFSET_MS

/**
 * Judges the clock. The clock of the database may be that of the same machine, so its agreement proves nothing; nor does a gap, because no
 * server may have run for a while. A clock elsewhere settles it in both directions.
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

/** A span in the largest unit of which it has two, such as `36 hours`. */
export function describeSpan(ms: number) {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS)
  const unit = UNITS.find((one) => minutes >= 2 * one.minutes) ?? UNITS[2]!
  const count = Math.floor(minutes / unit.minutes)
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}
