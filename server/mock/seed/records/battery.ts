import type { DeviceType } from '#contracts/lib/constants.ts'

const DAY = 86_400
/** Charged when it has come down to `low`, or ten days later if it is there by the anchor; loses `perDay` a day. */
const CURVES = { percent: { full: 100, low: 22, perDay: 1.6 }, millivolts: { full: 4150, low: 3340, perDay: 14 } } as const

/** A tracker's battery at a second from the anchor, in the unit of its type: `atAnchor` there, charged before it is empty. */
export function batteryAt(type: DeviceType, atAnchor: number, second: number) {
  if (atAnchor < 0) return atAnchor
  const { full, low, perDay } = CURVES[type === 'tracker_02' ? 'millivolts' : 'percent']
  const floor = Math.max(0, Math.min(low, atAnchor - 10 * perDay))
  const span = full - floor
  const level = (atAnchor - floor - (second / DAY) * perDay) % span
  return Math.round(floor + (level < 0 ? level + span : level))
}
