import { HOURS_ABOVE_MINUTES, MOVING_BELOW_MINUTES } from '#contracts/lib/constants.ts'
import { type Instant, MINUTE_MS, millis } from './instant.ts'

export type Motion = { state: 'moving' } | { state: 'stationary'; unit: 'minutes' | 'hours'; n: number }

/**
 * Stationary under 8 minutes counts as moving; over 100 minutes is shown in hours. The exact time decides,
 * whole minutes are shown, hours are rounded (C-02, C-03); no or a future time is moving.
 */
export const motionOf = (stationarySince: Instant | null, now: Date): Motion => {
  const minutes = stationarySince === null ? 0 : (now.getTime() - millis(stationarySince)) / MINUTE_MS
  if (minutes < MOVING_BELOW_MINUTES) return { state: 'moving' }
  return minutes > HOURS_ABOVE_MINUTES
    ? { state: 'stationary', unit: 'hours', n: Math.round(minutes / 60) }
    : { state: 'stationary', unit: 'minutes', n: Math.floor(minutes) }
}
