import { isStationary } from '#contracts/rules/history/motion.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { movingFrequency, stationaryFrequency } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'

/** A tracker after its last message. Instants in ms; `pace`: the intervals of a configurable tracker, in minutes. */
export type Reporter = {
  type: DeviceType
  boardName: string
  mode: number
  pace: { frequency: number; keepalivePeriod: number } | null
  lastMessageAt: number | null
  stationarySince: number | null
}

/** Reports that a tracker may miss, because a network loses some. */
const MISSED = 2
/** Trackers are late by up to a tenth of the time, and a message takes a while. */
const MARGIN = { share: 0.1, leastMinutes: 5 } as const

/**
 * When a tracker counts as silent unless it sends a message (ms): after two expected reports and a tenth of their time, at least five
 * minutes. Null if no reports are expected: in plane mode, in an unknown one, or before the first message.
 */
export function silenceDue({ type, boardName, mode, pace, lastMessageAt, stationarySince }: Reporter): number | null {
  if (lastMessageAt === null) return null
  const moving = movingFrequency(type, boardName, mode, pace?.frequency)
  if (moving === null) return null
  const { min, max } = isStationary(stationarySince, lastMessageAt) ? stationaryFrequency(pace?.keepalivePeriod) : moving
  const minutes = MISSED * Math.max(min, max)
  return lastMessageAt + (minutes + Math.max(MARGIN.leastMinutes, MARGIN.share * minutes)) * MINUTE_MS
}
