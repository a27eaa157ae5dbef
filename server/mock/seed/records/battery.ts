import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'

const DAY = 86_400
/** A battery loses `perDay` a day and is recharged at `low`, or ten days later if it is lower at the anchor. */
const CURVES = { percent: { full: 100, low: 22, perDay: 1.6 }, millivolts: { full: 4150, low: 3340, perDay: 14 } } as const

/** Computes a tracker's battery level, in the unit of its type, at a second from the anchor; it is `atAnchor` at the anchor. */
export function batteryLevel(type: DeviceType, atAnchor: number, second: number) {
  if (atAnchor < 0) return atAnchor
  const { full, low, perDay } = CURVES[type === 'tracker_02' ? 'millivolts' : 'percent']
  const floor = Math.max(0, Math.min(low, atAnchor - 10 * perDay))
  const span = full - floor
  const level = (atAnchor - floor - (second / DAY) * perDay) % span
  return Math.round(floor + (level < 0 ? level + span : level))
}
