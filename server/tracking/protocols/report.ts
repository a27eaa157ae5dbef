import * as z from 'zod/mini'
import type { Message } from '#contracts/positions.ts'
import { readCoordinate } from '#contracts/rules/reading/coordinate.ts'
import { findMeasuresWithUnit } from '#contracts/rules/reading/measures.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { isPress } from '#contracts/rules/reading/press.ts'
import { readTime } from '#contracts/rules/reading/time.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { MEASURED, PRECISION } from '#contracts/rules/tracking/fix.ts'
import type { KeyMessageReason } from '#contracts/trackers/device-keys.ts'
import { Failure } from '#server/lib/errors.ts'

export type Fix = Message['positions'][number]

/** A phone's report in any protocol: its positions, the battery in percent, when its button was pressed, and why items were rejected. */
export type Report = {
  positions: Fix[]
  battery?: number | undefined
  presses?: readonly string[] | undefined
  /** Items whose coordinates were no fix. */
  withoutFix?: number | undefined
  leftOut?: KeyMessageReason | undefined
}

/** The body has none of the protocol's formats. The app must not treat it as delivered. */
export const unknownFormat = (hint: string) => new Failure('validation_error', { errors: { body: [hint] }, reason: 'unknown_format' })

const FIELD_REASONS: readonly [RegExp, KeyMessageReason][] = [
  [/(^|\.)(lat|lon|lng|latitude|longitude|coords|coordinates(\.\d)?|geometry)$/, 'coordinates'],
  [/(^|\.)(timestamp|tst|datetime)$/, 'time'],
]

/** Why a message was rejected. Null for failures that are not about its content, such as a busy database. */
export function refusalReason(error: unknown): KeyMessageReason | null {
  if (!(error instanceof Failure)) return null
  if (error.code === 'malformed_json') return 'malformed'
  if (error.code === 'too_large') return 'too_large'
  if (error.code === 'throttled') return 'too_many'
  if (error.code !== 'validation_error') return null
  const stated = error.extras.reason
  if (stated === 'encrypted' || stated === 'unknown_format') return stated
  const fields = Object.keys(error.extras.errors ?? {})
  return FIELD_REASONS.find(([pattern]) => fields.some((field) => pattern.test(field)))?.[1] ?? 'unknown_format'
}

/** An item without coordinates, and one whose coordinates are no fix. */
type NoPosition = null | 'no_fix'

type ItemReader<T> = {
  read: (item: T) => Fix | NoPosition
  /** Fields of an item that may say that the button was pressed. */
  listFields: (item: T) => readonly object[]
  /** The time of an item, in any of the supported notations. */
  findTime: (item: T) => unknown
  now: Date
}

/**
 * Reads the items of a batch. Unreadable ones are skipped, since an app repeats a rejected batch forever; throws when no item is readable
 * and none is a press of the button, which counts whatever its position is.
 */
export function readBatch<T>(items: readonly T[], { read, listFields, findTime, now }: ItemReader<T>): Omit<Report, 'battery'> {
  const positions: Fix[] = []
  const presses: string[] = []
  const failures: unknown[] = []
  let withoutFix = 0
  for (const item of items) {
    const isPressed = listFields(item).some((fields) => isPress(fields as Record<string, unknown>))
    if (isPressed) presses.push(findInstant(findTime(item)) ?? formatInstant(now))
    try {
      const fix = read(item)
      if (fix === 'no_fix') withoutFix++
      else if (fix) positions.push(isPressed ? { ...fix, event: 'button' } : fix)
    } catch (error) {
      failures.push(error)
    }
  }
  const more = { ...(presses.length > 0 && { presses }), ...(withoutFix > 0 && { withoutFix, leftOut: 'no_fix' as const }) }
  if (failures.length === 0) return { positions, ...more }
  const leftOut = refusalReason(failures[0])
  if (!leftOut || (failures.length === items.length && presses.length === 0)) throw failures[0]
  return { positions, ...more, leftOut }
}

/** Metres, estimated from the dilution or a cautious default when the phone reports none or 0. */
export function fixPrecision(accuracy = 0, hdop = 0) {
  const metres = accuracy > 0 ? accuracy : hdop > 0 ? hdop * PRECISION.perHdop : PRECISION.unknown
  return Math.min(Math.ceil(metres), PRECISION.max)
}

export const KMH = { perKnot: 1.852, perMetreASecond: 3.6 } as const

type Measures = { [measure in 'accuracy' | 'hdop' | 'speed' | 'course' | 'altitude']?: number | undefined }

/**
 * The fields of a position besides its coordinates: precision in metres, speed in km/h, course in degrees, altitude in metres, if
 * plausible; apps send negative ones for unknown. Fields of the message with a unit in their name take precedence over the protocol's own
 * fields.
 */
export function readMeasures({ accuracy, hdop, ...plain }: Measures, groups: readonly object[]) {
  const named = findMeasuresWithUnit(groups)
  const { speed = plain.speed, course = plain.course, altitude = plain.altitude } = named
  return {
    precision: fixPrecision(named.precision ?? accuracy, hdop),
    ...(isWithin(speed, MEASURED.speed) && { speed }),
    ...(isWithin(course, [0, 360]) && { course }),
    ...(isWithin(altitude, MEASURED.altitude) && { altitude }),
  }
}

const isWithin = (value: number | undefined, [least, most]: readonly [number, number]) =>
  value !== undefined && value >= least && value <= most

/** Percent; negative means that the phone does not know it. */
export const batteryPercent = (percent: number | undefined) =>
  percent === undefined || percent < 0 ? undefined : Math.min(Math.round(percent), 100)

/** Converts a share from 0 to 1 to percent. */
export const batteryShare = (share: number | undefined) => batteryPercent(share === undefined ? undefined : share * 100)

/**
 * Percent from an app that sends either percent or a share of 1: less than 1 is a share. Exactly 1 can be a full battery or one that is
 * nearly empty, so it is ignored.
 */
export function batteryPercentOrShare(value: number | undefined) {
  if (value === 1) return undefined
  return value !== undefined && value < 1 ? batteryShare(value) : batteryPercent(value)
}

/** Makes an unreadable optional field undefined, so that no position is lost because of it. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined)

/** A schema for texts and numbers that `read` can parse; it returns undefined for others. */
const readable = <T>(read: (value: string | number) => T | undefined, message: string) =>
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((value, context) => {
      const found = read(value)
      if (found !== undefined) return found
      context.issues.push({ code: 'custom', input: value, message })
      return z.NEVER
    }),
  )

export const Numeric = readable(readNumber, 'Not a number')
export const Lat = readable((value) => readCoordinate(value, 'lat'), 'Not a latitude')
export const Lng = readable((value) => readCoordinate(value, 'lng'), 'Not a longitude')
export const Timestamp = readable(findInstant, 'Not a time')

/** Converts a text or number to an instant of the wire, to the second; undefined if it is none. */
export function findInstant(value: unknown): string | undefined {
  const at = readTime(value)
  return Number.isNaN(at) ? undefined : formatInstant(new Date(at))
}
