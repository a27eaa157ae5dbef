import { DAY_MS, MINUTE_MS, millis } from '#contracts/rules/time.ts'

/** Reasons to reject a fix of an accepted message. */
export const FIX_FAULTS = ['in_the_future', 'too_old'] as const
export type FixFault = (typeof FIX_FAULTS)[number]

/** Reasons not to store a position, including a message that itself reports no fix. */
export const REFUSAL_REASONS = [...FIX_FAULTS, 'no_fix'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** Metres: the worst precision a fix may have, the precision of a fix without one, and metres per unit of dilution (HDOP). */
export const PRECISION = { max: 100_000, unknown: 25, perHdop: 5 } as const

/** Limits of a device's own measurements: km/h, metres above sea level. */
export const MEASURED = { speed: [0, 2000], altitude: [-1000, 100_000] } as const

/** How far a tracker's clock may be ahead of the server's, and the earliest credible fix: no tracker existed before. */
const FIX_TIME = { aheadMinutes: 10, earliest: '2000-01-01T00:00:00Z' } as const
const EARLIEST = millis(FIX_TIME.earliest)

/** Returns why the time of a fix (ms since 1970) is rejected; null when it is plausible, and not older than the given days. */
export function fixFault(time: number, now: Date, maxAgeDays = Number.POSITIVE_INFINITY): FixFault | null {
  if (time > now.getTime() + FIX_TIME.aheadMinutes * MINUTE_MS) return 'in_the_future'
  return time < EARLIEST || time < now.getTime() - maxAgeDays * DAY_MS ? 'too_old' : null
}
