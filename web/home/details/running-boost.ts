import type { TrackerConfig } from '#contracts/devices.ts'
import { millis } from '#contracts/rules/instant.ts'

/** Until when a boost runs; null when none does, or not any more. */
export const runningBoost = ({ boost_until }: TrackerConfig, now: Date) =>
  boost_until && millis(boost_until) > now.getTime() ? boost_until : null
