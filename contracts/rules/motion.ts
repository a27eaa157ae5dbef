import { HOURS_ABOVE_MINUTES, MOVING_BELOW_MINUTES } from '#contracts/lib/constants.ts'
import { type Instant, MINUTE_MS, millis } from './instant.ts'

export type Motion = { state: 'moving' } | { state: 'stationary'; unit: 'minutes' | 'hours'; n: number }

/**
 * Stationary under 8 minutes counts as moving; above 100 minutes the unit is hours. The exact time decides; minutes are shown rounded down,
 * hours rounded. A missing or future time is moving.
 */
export const motionOf = (stationarySince: Instant | null, now: Date): Motion => {
  const minutes = stationarySince === null ? 0 : (now.getTime() - millis(stationarySince)) / MINUTE_MS
  if (minutes < MOVING_BELOW_MINUTES) return { state: 'moving' }
  return minutes > HOURS_ABOVE_MINUTES
    ? { state: 'stationary', unit: 'hours', n: Math.round(minutes / 60) }
    : { state: 'stationary', unit: 'minutes', n: Math.floor(minutes) }
}
