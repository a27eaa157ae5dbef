import { computeMotion } from '#contracts/rules/history/motion.ts'
import { MINUTE_MS, millis, millisOrOldest } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { cachePerDevice } from './per-device.ts'

/** The most important fact about a tracker. Every state except moving and stationary takes precedence over motion. */
export type TrackerState = 'pending' | 'lost' | 'plane' | 'deactivated' | 'unplaced' | 'silent' | 'moving' | 'stationary'

type DotLook = 'moving' | 'stationary' | 'pending' | 'lost' | 'off'

const LOOKS: Record<TrackerState, DotLook> = {
  pending: 'pending',
  lost: 'lost',
  plane: 'off',
  deactivated: 'off',
  unplaced: 'off',
  silent: 'off',
  moving: 'moving',
  stationary: 'stationary',
}

export const dotLook = (state: TrackerState) => LOOKS[state]

export const trackerState = cachePerDevice((device, now): TrackerState => {
  const { tracker_config: config, tracker_status: status } = device
  if (config.pending_mode !== null) return 'pending'
  if (config.network_state === 'deactivated') return 'deactivated'
  if (status.last_position === null) return 'unplaced'
  const mode = modeLabel(config.mode).kind
  if (mode === 'lost' || mode === 'plane') return mode
  return isSilent(device, now) ? 'silent' : computeMotion(status.stationary_since, now).state
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
