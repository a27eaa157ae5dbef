import { FIX_TIME, type FixFault } from '#contracts/lib/constants.ts'
import { MINUTE_MS, millis } from './instant.ts'

const EARLIEST = millis(FIX_TIME.earliest)

/** Why the time of a fix (ms since 1970) is rejected; null when it is credible. */
export function fixFault(time: number, now: Date): FixFault | null {
  if (time > now.getTime() + FIX_TIME.aheadMinutes * MINUTE_MS) return 'in_the_future'
  return time < EARLIEST ? 'too_old' : null
}
