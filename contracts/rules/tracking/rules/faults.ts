import { batteryUnit, lowBatteryLevels } from '#contracts/rules/tracking/alert.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import { hasDeadline, isPairRule, type Rule, type Schedule } from './rule.ts'
import { containsTime } from './schedule.ts'

type RuleAlert = { rule: Rule; place: unknown; trigger: unknown; vehicle_alert: boolean; schedule: Schedule | null }

/** Returns the fields of an alert that contradict its rule, with the reason. */
export function findRuleErrors({ rule, place, trigger, vehicle_alert, schedule }: RuleAlert): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const { kind } = rule
  if (trigger !== null) errors.trigger = [`An alert with the rule ${kind} has no trigger; set trigger or rule to null`]
  if (vehicle_alert)
    errors.vehicle_alert = [`An alert with the rule ${kind} is no vehicle alert; set vehicle_alert to false or rule to null`]
  if (hasDeadline(rule)) {
    if (place === null) errors.place = [`The rule ${kind} needs a place`]
    if (schedule && !containsTime(schedule, rule.by)) errors.schedule = [`Does not include ${rule.by}, the time of the rule`]
  } else if (place !== null) errors.place = [`The rule ${kind} has no place; set place or rule to null`]
  return errors
}

/** Returns why the number of trackers does not fit the rule of an alert. */
export const findPairErrors = (rule: Rule, trackers: number): Record<string, string[]> =>
  isPairRule(rule) && trackers !== 2 ? { devices: [`The rule ${rule.kind} needs exactly two trackers`] } : {}

/** Returns why a battery level does not fit the trackers of an alert. */
export function findLevelErrors(rule: Rule, trackers: readonly { type: DeviceType }[]): Record<string, string[]> {
  if (rule.kind !== 'battery') return {}
  const units = [...new Set(trackers.map(({ type }) => batteryUnit(type)))]
  if (units.length > 1) return { devices: ['Some report their battery in percent and some in millivolts: they need an alert each'] }
  const { min, max } = lowBatteryLevels(units[0] ?? 'percent')
  return rule.below < min || rule.below > max ? { rule: [`below must be from ${min} to ${max} for these trackers`] } : {}
}
