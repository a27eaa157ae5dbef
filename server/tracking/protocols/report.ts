import * as z from 'zod/mini'
import { PRECISION } from '#contracts/lib/constants.ts'
import type { Message } from '#contracts/positions.ts'
import { formatInstant } from '#contracts/rules/time.ts'

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

/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MOST_SECONDS = 1e11
/** End of the year 9999, the last with four digits. */
const LAST_MS = 253_402_300_799_999
const NUMBER = /^\d+(\.\d+)?$/
const DATE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/

/** Parses Unix seconds or milliseconds, ISO 8601 or `yyyy-MM-dd HH:mm:ss`, in UTC unless a zone is given; null for anything else. */
export function readTimestamp(text: string): Date | null {
  const ms = NUMBER.test(text) ? fromNumber(Number(text)) : fromDate(text)
  return ms >= 0 && ms <= LAST_MS ? new Date(ms) : null
}

const fromNumber = (value: number) => Math.floor(value > MOST_SECONDS ? value : value * 1000)

function fromDate(text: string) {
  const [, day, time, zone = 'Z'] = DATE.exec(text) ?? []
  return Date.parse(`${day}T${time}${zone}`)
}

export const Numeric = z.pipe(z.string().check(z.trim(), z.regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i)), z.transform(Number))

/** Makes an optional field undefined when it is unreadable, so that no position is lost for it. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined)

export const Timestamp = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value, context) => {
    const at = readTimestamp(String(value).trim())
    if (at) return formatInstant(at)
    context.issues.push({ code: 'custom', input: value, message: 'Not a time' })
    return z.NEVER
  }),
)
