import { NETWORK_SILENCE_DAYS, type NetworkState } from '#contracts/lib/constants.ts'
import { DAY_MS, type Instant, millis } from './instant.ts'

type Heard = { lastMessageAt: Date | null; networkActivatedAt: Date | null }

/** Since when a tracker is silent: its last message or, if later, the reactivation by its user; null if there was neither. */
export const silentSince = ({ lastMessageAt, networkActivatedAt }: Heard): Date | null =>
  lastMessageAt && networkActivatedAt && lastMessageAt > networkActivatedAt ? lastMessageAt : (networkActivatedAt ?? lastMessageAt)

/**
 * More than 90 days of silence deactivate the network of a tracker; only the user can reactivate it. `since` comes from `silentSince`; null
 * is a tracker that never sent a message.
 */
export const networkStateAt = (since: Instant | null, stored: NetworkState, now: Date): NetworkState => {
  const silence = since === null ? 0 : now.getTime() - millis(since)
  return silence > NETWORK_SILENCE_DAYS * DAY_MS ? 'deactivated' : stored
}
