import { type Open, pickListed } from '#contracts/lib/unknown-values.ts'

/** Products; all of them are trackers. */
export const DEVICE_TYPES = ['tracker_01', 'tracker_02', 'tracker_03', 'tracker_04', 'tracker_06', 'triby'] as const
export type DeviceType = Open<typeof DEVICE_TYPES>

/** The identifiers of phones begin with it, and those of no manufactured tracker. */
export const PHONE_HEAD = '00'

/** What a tracker is attached to. */
export const KINDS = ['dog', 'cat', 'person', 'bike', 'vehicle', 'plane', 'other'] as const
export type Kind = Open<typeof KINDS>

/** Pictures that a tracker can have instead of the default one of its kind. */
export const TRACKER_ICONS = ['scooter', 'motorbike', 'truck', 'caravan', 'boat', 'luggage', 'backpack', 'horse', 'key', 'tool'] as const
export type TrackerIcon = Open<typeof TRACKER_ICONS>

/** Radio networks of the trackers. */
export const OPERATORS = ['sigfox', 'lora', 'helium', 'lte_m', 'none'] as const
export type Operator = (typeof OPERATORS)[number]

/** Battery readings: mV for tracker_02, percent otherwise; -1 is unknown. */
export const BATTERY_RANGE = { unknown: -1, percent: 100, millivolts: 10_000 } as const

export type DisplayType = (typeof DEVICE_TYPES)[number] | 'sct2' | 'lwt2'

/** Whether this is a board of the configurable low-power tracker, the only one with mode 50. */
export const isSct2Board = (boardName: string | null | undefined) => boardName?.startsWith('SCT2') ?? false

/** Returns the type to display: boards named LWT2… or SCT2… (case-sensitive) override the type of the tracker. */
export const displayType = (device: { type: DeviceType; tracker_config?: { board_name?: string | null } | null }): DisplayType => {
  const boardName = device.tracker_config?.board_name
  if (isSct2Board(boardName)) return 'sct2'
  // An unlisted type is shown as the plain tracker.
  return boardName?.startsWith('LWT2') ? 'lwt2' : pickListed(DEVICE_TYPES, device.type, 'tracker_01')
}

const HARDWARE: Record<(typeof DEVICE_TYPES)[number], { board: string; operator: Operator }> = {
  tracker_01: { board: 'TRK1-A', operator: 'sigfox' },
  tracker_02: { board: 'TRK2-B', operator: 'lte_m' },
  tracker_03: { board: 'TRK3-A', operator: 'lte_m' },
  tracker_04: { board: 'TRK4-C', operator: 'lora' },
  tracker_06: { board: 'SDC1-A', operator: 'lora' },
  triby: { board: 'TRB1-A', operator: 'none' },
}

/** The usual board of a tracker type. */
export const usualBoard = (type: DeviceType) => HARDWARE[pickListed(DEVICE_TYPES, type, 'tracker_01')].board

/** The usual network of a tracker type. */
export const usualOperator = (type: DeviceType) => HARDWARE[pickListed(DEVICE_TYPES, type, 'tracker_01')].operator

export type BatteryDisplay = { unit: 'mV' | 'percent'; value: number } | { unit: 'unknown' }

/** Level in mV for tracker_02, in percent otherwise; unknown if negative or absent. Zero is a real value. */
export const batteryDisplay = (type: DeviceType, value: number | null | undefined): BatteryDisplay => {
  if (value === null || value === undefined || !(value >= 0)) return { unit: 'unknown' }
  return { unit: type === 'tracker_02' ? 'mV' : 'percent', value }
}

/** Charge from 0 to 1, comparable between trackers: 3000 mV is empty, 4200 mV full; null if unknown. */
export const batteryFraction = (type: DeviceType, value: number | null | undefined): number | null => {
  const battery = batteryDisplay(type, value)
  if (battery.unit === 'unknown') return null
  const fraction = battery.unit === 'mV' ? (battery.value - 3000) / 1200 : battery.value / 100
  return Math.min(1, Math.max(0, fraction))
}

/** Whether the value lies in the range that this type of tracker can report. */
export const isBatteryReading = (type: DeviceType, value: number) =>
  value >= BATTERY_RANGE.unknown && value <= (type === 'tracker_02' ? BATTERY_RANGE.millivolts : BATTERY_RANGE.percent)
