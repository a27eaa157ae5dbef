import { millis } from '#contracts/rules/time.ts'
import type { TrackerConfig } from '#contracts/trackers/devices.ts'

/** End of the running boost; null when none is running. */
export const runningBoostEnd = ({ boost_until }: TrackerConfig, now: Date) =>
  boost_until && millis(boost_until) > now.getTime() ? boost_until : null
