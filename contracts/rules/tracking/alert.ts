import type { Trigger } from '#contracts/rules/geo/place.ts'
import { isStationary } from '#contracts/rules/history/motion.ts'
import { deriveUsage, hasVehicleAlert, isModeCode, modeLabel } from './mode.ts'
import type { DeviceType, Kind } from './tracker.ts'

/** `place`: anything but null is one. */
type AlertTarget = { place: unknown; trigger: Trigger | null; vehicle_alert: boolean }

/** Returns what is missing in an alert: a place and a trigger belong together, and only a vehicle alert works without both. */
export function findMissingParts({ place, trigger, vehicle_alert }: AlertTarget): ('place' | 'trigger')[] {
  if (vehicle_alert && place === null && trigger === null) return []
  return [...(place === null ? (['place'] as const) : []), ...(trigger === null ? (['trigger'] as const) : [])]
}

/** Only kinds that are driven or ridden can have the vehicle alert. */
export const supportsVehicleAlert = (kind: Kind) => deriveUsage(kind) === 'vehicle' || deriveUsage(kind) === 'bike'

/**
 * Whether vehicle alerts fire in this mode: at a monitoring level only if the mode includes the alert. Modes without levels (lost,
 * configurable) have no such switch, so alerts fire there.
 */
export const firesVehicleAlert = (mode: number) => hasVehicleAlert(mode) || (isModeCode(mode) && modeLabel(mode).kind !== 'level')

/** Whether the vehicle alert fires: the tracker was stationary at the time of the message and no longer is. Instants in ms. */
export const hasStartedMoving = (stationarySinceBefore: number | null, stationarySinceAfter: number | null, at: number) =>
  stationarySinceAfter === null && isStationary(stationarySinceBefore, at)

type BatteryUnit = 'percent' | 'millivolts'

/** Levels to choose from, and the default. */
const LEVELS = {
  percent: { min: 5, max: 50, standard: 15 },
  millivolts: { min: 3000, max: 3700, standard: 3300 },
} satisfies Record<BatteryUnit, object>

/** tracker_02 reports its battery in mV, all others in percent. */
export const batteryUnit = (type: DeviceType): BatteryUnit => (type === 'tracker_02' ? 'millivolts' : 'percent')

/** The levels of all trackers, whatever their unit. */
export const BATTERY_LEVELS = { min: LEVELS.percent.min, max: LEVELS.millivolts.max }

export const lowBatteryLevels = (unit: BatteryUnit) => LEVELS[unit]

/** An unknown level is null or negative and never counts as low. */
export const isBatteryLow = (type: DeviceType, level: number | null, threshold: number | null) =>
  level !== null && level >= 0 && level < (threshold ?? LEVELS[batteryUnit(type)].standard)
