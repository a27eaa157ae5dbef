import { currentSubState } from '#contracts/rules/subscription.ts'
import { DAY_MS, millis } from '#contracts/rules/time.ts'
import { batteryFraction } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { cachePerDevice } from './per-device.ts'
import { trackerState } from './state.ts'

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
    ...(state === 'lost' || state === 'silent' || state === 'deactivated' ? [state] : []),
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
