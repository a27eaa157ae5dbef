import type { Kind } from '#contracts/lib/constants.ts'
import type { Instant } from './instant.ts'
import { hasVehicleAlert, isModeCode, modeLabel } from './mode.ts'
import { motionOf } from './motion.ts'
import { usageOf } from './usage.ts'

/** Only what is driven or ridden can have the vehicle alert. */
export const takesVehicleAlert = (kind: Kind) => usageOf(kind) === 'vehicle' || usageOf(kind) === 'bike'

/**
 * Whether a tracker with this mode is on guard for its vehicle alerts (D-14): at a monitoring level only when the alert is
 * switched on with it. The modes without levels (lost, configurable) know no such switch, so there the alert holds.
 */
export const isOnGuard = (mode: number) => hasVehicleAlert(mode) || (isModeCode(mode) && modeLabel(mode).kind !== 'level')

/** The vehicle alert fires when a stationary vehicle starts to move (D-14): it stood, at the time of the message, and no longer does. */
export const startsToMove = (stationarySinceBefore: Instant | null, stationarySinceAfter: Instant | null, at: Date) =>
  stationarySinceAfter === null && motionOf(stationarySinceBefore, at).state === 'stationary'
