import { RULE_KINDS } from './rule.ts'

/** What alerts report. */
export const FIRING_KINDS = ['place_enter', 'place_leave', 'vehicle_alert', 'low_battery', ...RULE_KINDS] as const
export type FiringKind = (typeof FIRING_KINDS)[number]
