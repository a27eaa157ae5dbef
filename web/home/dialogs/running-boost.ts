import type { TrackerConfig } from '#contracts/devices.ts'
import { millis } from '#contracts/rules/time.ts'

/** End of the running boost; null when none is running. */
export const runningBoostEnd = ({ boost_until }: TrackerConfig, now: Date) =>
  boost_until && millis(boost_until) > now.getTime() ? boost_until : null
