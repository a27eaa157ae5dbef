import type { DeviceType } from '#contracts/lib/constants.ts'

export type BatteryUnit = 'percent' | 'millivolts'

/** Levels that may be chosen, and the one that applies until then. */
const LEVELS = {
  percent: { min: 5, max: 50, standard: 15 },
  millivolts: { min: 3000, max: 3700, standard: 3300 },
} satisfies Record<BatteryUnit, object>

/** tracker_02 reports its battery in mV, all others in percent. */
export const batteryUnit = (type: DeviceType): BatteryUnit => (type === 'tracker_02' ? 'millivolts' : 'percent')

export const lowBatteryLevels = (unit: BatteryUnit) => LEVELS[unit]

/** An unknown level is null or negative and never counts as low. */
export const isBatteryLow = (type: DeviceType, level: number | null, threshold: number | null) =>
  level !== null && level >= 0 && level < (threshold ?? LEVELS[batteryUnit(type)].standard)
