import type { Instant } from './instant.ts'
import { motionOf } from './motion.ts'

/** The vehicle alert fires when a stationary vehicle starts to move (D-14): it stood, at the time of the message, and no longer does. */
export const startsToMove = (stationarySinceBefore: Instant | null, stationarySinceAfter: Instant | null, at: Date) =>
  stationarySinceAfter === null && motionOf(stationarySinceBefore, at).state === 'stationary'
