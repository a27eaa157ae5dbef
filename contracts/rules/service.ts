import { currentSubState } from './subscription.ts'
import { DAY_MS, type Instant, millis } from './time.ts'

/**
 * Days for which a tracker stays in service after its subscription. At least one: an unpaid renewal may still be charged for
 * `RENEWAL_GRACE_HOURS`, during which the tracker must not rest.
 */
export const GRACE_DAYS = { min: 1, max: 3650, usual: 14 } as const

/**
 * Whether the service shows what a tracker reports now. While it rests, only what was recorded before `since` is shown. `pausedUntil`: it
 * rests because its plan is paused, and goes on then.
 */
export type Service = { state: 'in_service' } | { state: 'grace'; until: Date } | { state: 'resting'; since: Date; pausedUntil?: Date }

type SubscribedTracker = {
  type: string
  sub_state: string
  sub_end_date: Instant | null
  /** When the account added the tracker; null if unknown. */
  added_at: Instant | null
  /** When the account added it for the first time, if it was removed and added again. */
  grace_from?: Instant | null | undefined
  /** While its plan is paused, which it is until `paused_until`. */
  paused_from?: Instant | null | undefined
  paused_until?: Instant | null | undefined
}

const IN_SERVICE: Service = { state: 'in_service' }

/**
 * The service of a tracker at `now`. The days of grace count from the end of its subscription, or from the day it was first added if it
 * never had one. Null for `graceDays`: the service never ends. A triby needs no subscription. While the card of a renewal is charged, the end
 * date is already put off. A tracker whose plan is paused rests, however many days of grace there are.
 */
export function computeService(tracker: SubscribedTracker, now: Date, graceDays: number | null): Service {
  const { type, sub_state, sub_end_date } = tracker
  const added = tracker.grace_from ?? tracker.added_at
  const state = currentSubState(sub_state, sub_end_date, now)
  const paused = state === 'active' ? findPause(tracker, now) : null
  if (paused) return paused
  if (graceDays === null || state === 'active' || (state === 'none' && type === 'triby')) return IN_SERVICE
  const from = state === 'ended' ? (sub_end_date ?? added) : added
  const start = from === null ? Number.NaN : millis(from) + graceDays * DAY_MS
  if (Number.isNaN(start)) return IN_SERVICE
  return now.getTime() < start ? { state: 'grace', until: new Date(start) } : { state: 'resting', since: new Date(start) }
}

function findPause({ paused_from, paused_until }: SubscribedTracker, now: Date): Service | null {
  if (!paused_from || !paused_until) return null
  const pausedUntil = new Date(paused_until)
  return pausedUntil > now ? { state: 'resting', since: new Date(paused_from), pausedUntil } : null
}
