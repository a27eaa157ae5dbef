import { NETWORK_SILENCE_DAYS, type NetworkState } from '#contracts/constants.ts'
import { DAY_MS, type Instant, millis } from './instant.ts'

/**
 * Network connectivity is deactivated after more than 90 days of silence and only the user reactivates it (spec §4,
 * D-18). `silentSince` is the last message or, if later, the last reactivation; null is a tracker that never spoke.
 */
export const networkStateAt = (silentSince: Instant | null, stored: NetworkState, now: Date): NetworkState => {
  const silence = silentSince === null ? 0 : now.getTime() - millis(silentSince)
  return silence > NETWORK_SILENCE_DAYS * DAY_MS ? 'deactivated' : stored
}
