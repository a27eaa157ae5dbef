import type { TFunction } from 'i18next'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { motionWords, subStateWords } from '#web/lib/i18n/words.ts'
import { trackerService } from './service.ts'
import { isStale, trackerState } from './state.ts'

/** The state as text. A tracker that was never activated reads "Not activated" rather than "No signal". */
export const stateWords = (t: TFunction, device: Device, now: Date): string => {
  const state = trackerState(device, now)
  const { sub_state, sub_end_date } = device.tracker_status
  const subscription = currentSubState(sub_state, sub_end_date, now)
  if (isStale(state) && state !== 'resting' && subscription === 'not_activated') return subStateWords(t, subscription)
  if (state === 'unknown') return t('motion.unknown')
  if (state !== 'moving' && state !== 'stationary') return t(`tracker.state.${state}`)
  return motionWords(t, computeMotion(device.tracker_status.stationary_since, now))
}

/** The last known address, else the coordinates; null when there never was a position. */
export const addressWords = ({ tracker_status: { last_address, last_position } }: Device): string | null =>
  last_address || (last_position ? `${last_position.lat.toFixed(5)}, ${last_position.lng.toFixed(5)}` : null)

/** Label and value for a subscription: when it ends, renews or ended, or its state. */
export const subscriptionFact = (t: TFunction, formats: Formats, device: Device, now: Date) => {
  const { tracker_status, price } = device
  const { sub_end_date: end } = tracker_status
  const state = currentSubState(tracker_status.sub_state, end, now)
  const service = trackerService(device, now)
  if (service.state === 'resting' && service.pausedUntil)
    return { label: t('tracker.pausedUntil'), value: formats.date(service.pausedUntil) }
  if (service.state === 'resting') return { label: t('tracker.restsSince'), value: formats.date(service.since) }
  if (state === 'ended' && end) return { label: t('tracker.endedOn'), value: formats.date(end) }
  if (state !== 'active') return { label: t('tracker.subscription'), value: subStateWords(t, state) }
  if (end === null) return { label: t('tracker.subscription'), value: t('tracker.noEnd') }
  return { label: price?.recurring ? t('tracker.renews') : t('tracker.until'), value: formats.date(end) }
}
