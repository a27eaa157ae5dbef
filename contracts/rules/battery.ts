import { BATTERY_RANGE, type DeviceType } from '#contracts/lib/constants.ts'

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
