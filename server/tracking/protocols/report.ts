import { PRECISION } from '#contracts/lib/constants.ts'
import type { Message } from '#contracts/positions.ts'

export type Fix = Message['positions'][number]

/** What a phone says, whatever its protocol: where it was, and the percent left in its battery. */
export type Report = { positions: Fix[]; battery?: number | undefined }

/** Metres; a phone that does not know, or says 0 or less, gets a cautious guess, from the dilution if it tells that. */
export function precisionOf(accuracy = 0, hdop = 0) {
  const metres = accuracy > 0 ? accuracy : hdop > 0 ? hdop * PRECISION.perHdop : PRECISION.unknown
  return Math.min(Math.ceil(metres), PRECISION.max)
}

/** Percent; below 0 a phone does not know. */
export const batteryOf = (percent: number | undefined) =>
  percent === undefined || percent < 0 ? undefined : Math.min(Math.round(percent), 100)
