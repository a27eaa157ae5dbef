import { FIX_TIME, type FixFault } from '#contracts/lib/constants.ts'
import { MINUTE_MS, millis } from './instant.ts'

const EARLIEST = millis(FIX_TIME.earliest)

/** Why the time of a fix, in milliseconds since 1970, is not believed; null when it may be true (D-33). */
export function fixFault(time: number, now: Date): FixFault | null {
  if (time > now.getTime() + FIX_TIME.aheadMinutes * MINUTE_MS) return 'in_the_future'
  return time < EARLIEST ? 'too_old' : null
}
