import { computeMotion } from '#contracts/rules/history/motion.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { DAY_MS, MINUTE_MS, millis, millisOrOldest } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { batteryFraction } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { trackerService } from './service.ts'

/**
 * Caches a result per tracker and time. A live event replaces only the object of its tracker, so in a large fleet only that one is
 * recomputed.
 */
export function cachePerDevice<T>(compute: (device: Device, now: Date) => T) {
  const known = new WeakMap<Device, { at: number; value: T }>()
  return (device: Device, now: Date): T => {
    const at = now.getTime()
    const hit = known.get(device)
    if (hit?.at === at) return hit.value
    const value = compute(device, now)
    known.set(device, { at, value })
    return value
  }
}

/** The most important fact about a tracker. Every state except the last three takes precedence over motion. */
export type TrackerState =
  | 'resting'
  | 'pending'
  | 'lost'
  | 'plane'
  | 'deactivated'
  | 'unplaced'
  | 'silent'
  | 'moving'
  | 'stationary'
  | 'unknown'

type DotLook = 'moving' | 'still' | 'pending' | 'lost' | 'off'

const LOOKS: Record<TrackerState, DotLook> = {
  resting: 'off',
  pending: 'pending',
  lost: 'lost',
  plane: 'off',
  deactivated: 'off',
  unplaced: 'off',
  silent: 'off',
  moving: 'moving',
  stationary: 'still',
  unknown: 'still',
}

export const dotLook = (state: TrackerState) => LOOKS[state]

export const trackerState = cachePerDevice((device, now): TrackerState => {
  const { tracker_config: config, tracker_status: status } = device
  if (trackerService(device, now).state === 'resting') return 'resting'
  if (config.pending_mode !== null) return 'pending'
  if (config.network_state === 'deactivated') return 'deactivated'
  if (status.last_position === null) return 'unplaced'
  const mode = modeLabel(config.mode).kind
  if (mode === 'lost' || mode === 'plane') return mode
  if (isSilent(device, now)) return 'silent'
  // Without any time it is unknown whether the tracker moves now.
  const isDated = status.stationary_since !== null || Number.isFinite(millis(lastContact(device) ?? ''))
  return isDated ? computeMotion(status.stationary_since, now).state : 'unknown'
})

/** True when the pin shows where the tracker was rather than where it is. */
export const isStale = (state: TrackerState) => dotLook(state) === 'off'

export const lastContact = ({ tracker_status: { last_position, last_event } }: Device): string | null => {
  const [position, event] = [last_position?.datetime ?? null, last_event?.datetime ?? null]
  if (position === null || event === null) return position ?? event
  return millisOrOldest(position) > millisOrOldest(event) ? position : event
}

const MISSED_REPORTS = 3
/** Minimum, because radio is unreliable: applies to trackers that report every few minutes. */
const MIN_SILENCE_MINUTES = 60

/** True when three expected reports are missing, so that an old position is not shown as current. */
const isSilent = (device: Device, now: Date) => {
  const { frequency_moving, frequency_stationary } = device.tracker_config
  const heard = lastContact(device)
  const slowest = Math.max(frequency_moving?.max ?? 0, frequency_stationary?.max ?? 0)
  const minutes = Math.max(MIN_SILENCE_MINUTES, slowest * MISSED_REPORTS)
  return heard !== null && now.getTime() - millis(heard) > minutes * MINUTE_MS
}

/** Whether its owner looks for it: in lost mode, about to be, or reported stolen. */
const isMissing = ({ tracker_config: { mode, pending_mode }, theft_since }: Device) =>
  Boolean(theft_since) || modeLabel(mode).kind === 'lost' || (pending_mode !== null && modeLabel(pending_mode).kind === 'lost')

type Attention = 'lost' | 'battery' | 'silent' | 'deactivated' | 'ended' | 'endsSoon' | 'notActivated'

/** A fraction of a full charge. */
export const LOW_BATTERY = 0.2
/** A subscription that does not renew is announced this many days before its end. */
const SOON_DAYS = 7

/** Reasons why the owner should look at this tracker; empty when all is well. */
export const attentionReasons = cachePerDevice((device, now): readonly Attention[] => {
  const { type, tracker_status: status } = device
  const state = trackerState(device, now)
  const charge = batteryFraction(type, status.battery)
  return [
    ...(isMissing(device) ? (['lost'] as const) : []),
    ...(state === 'silent' || state === 'deactivated' ? [state] : []),
    ...(charge !== null && charge < LOW_BATTERY ? (['battery'] as const) : []),
    ...subscriptionAttention(device, now),
  ]
})

const subscriptionAttention = ({ tracker_status: status, price, linked_to_pro }: Device, now: Date): Attention[] => {
  const state = currentSubState(status.sub_state, status.sub_end_date, now)
  if (linked_to_pro) return []
  if (state === 'ended') return ['ended']
  if (state === 'not_activated') return ['notActivated']
  const isEnding = state === 'active' && status.sub_end_date !== null && !price?.recurring
  return isEnding && millis(status.sub_end_date!) - now.getTime() < SOON_DAYS * DAY_MS ? ['endsSoon'] : []
}

/** The one group of a tracker in lists and on the map, the most urgent first. */
export const STATE_GROUPS = ['lost', 'attention', 'moving', 'rest', 'silent', 'unused'] as const
export type StateGroup = (typeof STATE_GROUPS)[number]

export const stateGroup = cachePerDevice((device, now): StateGroup => {
  const state = trackerState(device, now)
  if (isMissing(device)) return 'lost'
  if (isUnused(device, now)) return 'unused'
  if (state === 'silent' || state === 'unplaced') return 'silent'
  if (attentionReasons(device, now).length > 0) return 'attention'
  return state === 'moving' ? 'moving' : 'rest'
})

/** Without a subscription that has started and not ended, or with a deactivated network. */
function isUnused({ tracker_config, tracker_status: { sub_state, sub_end_date } }: Device, now: Date) {
  const state = currentSubState(sub_state, sub_end_date, now)
  return state === 'not_activated' || state === 'ended' || tracker_config.network_state === 'deactivated'
}
