import { PRECISION } from '#contracts/lib/constants.ts'
import type { Message } from '#contracts/positions.ts'

export type Fix = Message['positions'][number]

/** A phone's report in any protocol: its positions and the battery in percent. */
export type Report = { positions: Fix[]; battery?: number | undefined }

/** Metres, estimated from the dilution or a cautious default when the phone reports none or 0. */
export function fixPrecision(accuracy = 0, hdop = 0) {
  const metres = accuracy > 0 ? accuracy : hdop > 0 ? hdop * PRECISION.perHdop : PRECISION.unknown
  return Math.min(Math.ceil(metres), PRECISION.max)
}

/** Percent; negative means unknown to the phone. */
export const batteryPercent = (percent: number | undefined) =>
  percent === undefined || percent < 0 ? undefined : Math.min(Math.round(percent), 100)
