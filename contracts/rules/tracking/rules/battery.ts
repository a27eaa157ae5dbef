import { batteryUnit } from '#contracts/rules/tracking/alert.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import type { RuleState } from './rule.ts'

/** How far a battery must rise above the limit before the rule can fire again: ten points, or a tenth of 3000 to 4200 mV. */
const RISE = { percent: 10, millivolts: 120 } as const

/** Follows one reading of the battery; unknown ones are null or negative and change nothing. */
export function followBattery(
  below: number,
  state: RuleState,
  type: DeviceType,
  level: number | null,
): { state: RuleState; fires: boolean } {
  if (level === null || level < 0) return { state, fires: false }
  if (state.isSpent) return { state: level >= below + RISE[batteryUnit(type)] ? { ...state, isSpent: false } : state, fires: false }
  return level < below ? { state: { ...state, isSpent: true }, fires: true } : { state, fires: false }
}
