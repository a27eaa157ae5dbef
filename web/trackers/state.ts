import type { Device } from '#contracts/devices.ts'
import { MINUTE_MS, millis } from '#contracts/rules/instant.ts'
import { modeLabel } from '#contracts/rules/mode.ts'
import { motionOf } from '#contracts/rules/motion.ts'

/** What a person wants to know first about a tracker. Everything but moving and stationary overrides the motion. */
export type TrackerState = 'pending' | 'lost' | 'plane' | 'deactivated' | 'unplaced' | 'silent' | 'moving' | 'stationary'

/** How the state is drawn: ring, disc, amber, red or hollow. */
export type DotLook = 'moving' | 'stationary' | 'pending' | 'lost' | 'off'

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

export const stateOf = (device: Device, now: Date): TrackerState => {
  const { tracker_config: config, tracker_status: status } = device
  if (config.pending_mode !== null) return 'pending'
  if (config.network_state === 'deactivated') return 'deactivated'
  if (status.last_position === null) return 'unplaced'
  const mode = modeLabel(config.mode).kind
  if (mode === 'lost' || mode === 'plane') return mode
  return isSilent(device, now) ? 'silent' : motionOf(status.stationary_since, now).state
}

/** The pin of such a tracker shows where it was, not where it is. */
export const isStale = (state: TrackerState) => dotLook(state) === 'off'

/** When it was last heard of. */
export const heardAt = ({ tracker_status: { last_position, last_event } }: Device): string | null => {
  const [position, event] = [last_position?.datetime ?? null, last_event?.datetime ?? null]
  if (position === null || event === null) return position ?? event
  return millis(position) > millis(event) ? position : event
}

/** Misses this many reports in a row before it counts as silent. */
const MISSED = 3
/** Radio is not punctual; a tracker that reports every two minutes gets this long. */
const LEAST_SILENCE_MINUTES = 60

/** Three expected reports did not come: an old position must not look like a current one. */
const isSilent = (device: Device, now: Date) => {
  const { frequency_moving, frequency_stationary } = device.tracker_config
  const heard = heardAt(device)
  const slowest = Math.max(frequency_moving?.max ?? 0, frequency_stationary?.max ?? 0)
  const minutes = Math.max(LEAST_SILENCE_MINUTES, slowest * MISSED)
  return heard !== null && now.getTime() - millis(heard) > minutes * MINUTE_MS
}
