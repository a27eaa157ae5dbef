import { currentSubState } from './subscription.ts'
import { DAY_MS, type Instant, millis } from './time.ts'

/**
 * Days for which a tracker stays in service after its subscription. At least one: an unpaid renewal may still be charged for
 * `RENEWAL_GRACE_HOURS`, during which the tracker must not rest.
 */
export const GRACE_DAYS = { min: 1, max: 3650, usual: 14 } as const

/** Whether the service shows what a tracker reports now. While it rests, only what was recorded before `since` is shown. */
export type Service = { state: 'in_service' } | { state: 'grace'; until: Date } | { state: 'resting'; since: Date }

/** `added_at`: when the account added the tracker, null if unknown. */
type SubscribedTracker = { type: string; sub_state: string; sub_end_date: Instant | null; added_at: Instant | null }

const IN_SERVICE: Service = { state: 'in_service' }

/**
 * The service of a tracker at `now`. The days of grace count from the end of its subscription, or from the day it was added if it never
 * had one. Null for `graceDays`: the service never ends. A triby needs no subscription. While the card of a renewal is charged, the end
 * date is already put off.
 */
export function computeService(tracker: SubscribedTracker, now: Date, graceDays: number | null): Service {
  const { type, sub_state, sub_end_date, added_at } = tracker
  const state = currentSubState(sub_state, sub_end_date, now)
  if (graceDays === null || state === 'active' || (state === 'none' && type === 'triby')) return IN_SERVICE
  const from = state === 'ended' ? (sub_end_date ?? added_at) : added_at
  const start = from === null ? Number.NaN : millis(from) + graceDays * DAY_MS
  if (Number.isNaN(start)) return IN_SERVICE
  return now.getTime() < start ? { state: 'grace', until: new Date(start) } : { state: 'resting', since: new Date(start) }
}
