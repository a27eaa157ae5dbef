import type { Open } from '#contracts/lib/unknown-values.ts'
import { DAY_MS, type Instant, millis } from '#contracts/rules/time.ts'
import { type MonitoringLevel, modeLabel } from './mode.ts'
import { type DeviceType, isSct2Board } from './tracker.ts'

/** Events a tracker can report. */
export const EVENT_TYPES = [
  'position',
  'moving',
  'stationary',
  'place_enter',
  'place_leave',
  'vehicle_alert',
  'low_battery',
  'button',
  'mode_applied',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const NETWORK_STATES = ['active', 'deactivated'] as const
export type NetworkState = Open<typeof NETWORK_STATES>

/** A stationary tracker reports every 4 hours. */
export const STATIONARY_REPORT_MINUTES = 240
export const NETWORK_SILENCE_DAYS = 90

/** Minutes between two updates: at least `min`, at most `max`. */
export type MinuteRange = { min: number; max: number }

export type UpdateWording =
  | { key: 'everyHour' }
  | { key: 'everyMinutes'; n: number }
  | { key: 'everyMinutesRange'; n: number; m: number }
  | { key: 'none' }

const TRACKER: Record<MonitoringLevel, MinuteRange> = { standard: { min: 10, max: 15 }, high: { min: 5, max: 7 }, intense: exactly(2) }
const COLLAR: Record<MonitoringLevel, MinuteRange> = { standard: exactly(60), high: { min: 20, max: 30 }, intense: exactly(10) }

/** Minutes between updates while moving; null without updates: plane mode, unknown mode, or missing sct2 parameters. */
export const movingFrequency = (type: DeviceType, boardName: string | null, mode: number, sct2Frequency?: number): MinuteRange | null => {
  const label = modeLabel(mode)
  if (label.kind === 'plane') return null
  if (label.kind === 'lost') return exactly(3)
  if (label.kind === 'configurable' || isSct2Board(boardName)) return sct2Frequency === undefined ? null : exactly(sct2Frequency)
  if (label.kind !== 'level') return null
  return (type === 'tracker_06' || type === 'triby' ? COLLAR : TRACKER)[label.level]
}

/** Minutes between reports while stationary: every 4 hours, or the keepalive period of an sct2. */
export const stationaryFrequency = (keepalivePeriod?: number): MinuteRange => exactly(keepalivePeriod ?? STATIONARY_REPORT_MINUTES)

/** Every hour, every n minutes or every n to m minutes; swapped bounds are reordered. */
export const frequencyWording = (range: MinuteRange | null): UpdateWording => {
  if (!range) return { key: 'none' }
  const [n, m] = range.min <= range.max ? [range.min, range.max] : [range.max, range.min]
  if (n !== m) return { key: 'everyMinutesRange', n, m }
  return n === 60 ? { key: 'everyHour' } : { key: 'everyMinutes', n }
}

/** Whole hours above one get their own sentence ("every 4 hours"); other periods use the wording of updates. */
export const stationaryWording = (range: MinuteRange | null): UpdateWording | { key: 'everyHours'; n: number } => {
  const isHours = range !== null && range.min === range.max && range.min > 60 && range.min % 60 === 0
  return isHours ? { key: 'everyHours', n: range.min / 60 } : frequencyWording(range)
}

/** Minutes to the next emission: `share` (0 to 1) of the way from the shortest to the longest. */
export const emissionMinutes = ({ min, max }: MinuteRange, share: number) => min + (max - min) * share

function exactly(minutes: number): MinuteRange {
  return { min: minutes, max: minutes }
}

type Heard = { lastMessageAt: Date | null; networkActivatedAt: Date | null }

/** Since when a tracker has been silent: its last message or, if later, the reactivation by its user; null if there was neither. */
export const silenceStart = ({ lastMessageAt, networkActivatedAt }: Heard): Date | null =>
  lastMessageAt && networkActivatedAt && lastMessageAt > networkActivatedAt ? lastMessageAt : (networkActivatedAt ?? lastMessageAt)

/**
 * More than 90 days of silence deactivate the network of a tracker; only the user can reactivate it. `since` comes from `silentSince`; null
 * is a tracker that never sent a message.
 */
export const currentNetworkState = (since: Instant | null, stored: NetworkState, now: Date): NetworkState => {
  const silence = since === null ? 0 : now.getTime() - millis(since)
  return silence > NETWORK_SILENCE_DAYS * DAY_MS ? 'deactivated' : stored
}
