import { NETWORK_SILENCE_DAYS, type NetworkState } from '#contracts/lib/constants.ts'
import { DAY_MS, type Instant, millis } from './instant.ts'

type Heard = { lastMessageAt: Date | null; networkActivatedAt: Date | null }

/** Since when a tracker is silent: its last message or, if later, the reactivation by its user; null when there was neither (D-18). */
export const silentSince = ({ lastMessageAt, networkActivatedAt }: Heard): Date | null =>
  lastMessageAt && networkActivatedAt && lastMessageAt > networkActivatedAt ? lastMessageAt : (networkActivatedAt ?? lastMessageAt)

/**
 * Network connectivity is deactivated after more than 90 days of silence and only the user reactivates it
 * (D-18). `since` is what `silentSince` says; null is a tracker that never spoke.
 */
export const networkStateAt = (since: Instant | null, stored: NetworkState, now: Date): NetworkState => {
  const silence = since === null ? 0 : now.getTime() - millis(since)
  return silence > NETWORK_SILENCE_DAYS * DAY_MS ? 'deactivated' : stored
}
