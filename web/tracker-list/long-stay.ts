import { computeMotion } from '#contracts/rules/history/motion.ts'
import type { Device } from '#contracts/trackers/devices.ts'

const HOURS_A_DAY = 24

/** The days of a stay that is shown in hours, such as "9 days" beside 216 hours; undefined below two days. */
export function longStay(language: string, { tracker_status }: Device, now: Date) {
  const motion = computeMotion(tracker_status.stationary_since, now)
  if (motion.state !== 'stationary' || motion.unit !== 'hours' || motion.n < 2 * HOURS_A_DAY) return undefined
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 0 })
  return days.format(motion.n / HOURS_A_DAY)
}
