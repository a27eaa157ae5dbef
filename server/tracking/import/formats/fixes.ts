import type { ImportDamage, ImportFault, ImportProblem } from '#contracts/data.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { isNullIsland } from '#contracts/rules/reading/coordinate.ts'
import { fixFault, MEASURED, PRECISION } from '#contracts/rules/tracking/fix.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { BATTERY_RANGE } from '#contracts/rules/tracking/tracker.ts'
import { toFixed7 } from '#db/positions.ts'
import { Failure } from '#server/lib/errors.ts'

/** A position of a file: time in milliseconds since 1970, degrees, metres, km/h. NaN stands for a missing value. */
export type FileFix = {
  time: number | null
  lat: number
  lng: number
  precision?: number | undefined
  speed?: number | undefined
  course?: number | undefined
  altitude?: number | undefined
  battery?: number | undefined
  event?: string | undefined
  mark?: string | undefined
  /** The receiver had no fix, so these are its last known coordinates. */
  lacksFix?: boolean | undefined
}

/** Parses a file piece by piece, in UTF-8. Throws a failure as soon as the rest cannot be read. */
export type Reader = { write(bytes: Uint8Array): void; end(): void | Promise<void> }

/** A whole file is refused: the reason, and the line from which on it cannot be read. */
export const refuseFile = (problem: ImportProblem, line?: number) =>
  new Failure('validation_error', { errors: { [UPLOAD_FIELD]: [problem] }, ...(line !== undefined && { line }) })

/** Where a file, or one of an archive, becomes unreadable or has an unreadable part. */
export type Damage = { is: ImportDamage; line: number; file?: string }

/** The output of readers. */
export type Sink = {
  add(fix: FileFix, line: number): void
  skip(line: number, reason: ImportFault): void
  /** Reports damage; only the first one counts. */
  damage(is: ImportDamage, line: number): void
  /** Lists columns, fields or files of an archive that an import does not read. */
  pass(names: Iterable<string>): void
}

export const FIELDS = ['time', 'lat', 'lng', 'precision', 'event', 'battery', 'speed', 'course', 'altitude', 'mark'] as const
export type Field = (typeof FIELDS)[number]

/** Stands for null in the columns, which take four bytes per value. */
const NONE = -2_147_483_648

/** The values of positions by field, in the order of the file. */
export type FixColumns = { times: Float64Array; values: Int32Array[] }

/** Converts a value to its stored form, or null. */
export function readValue({ times, values }: FixColumns, field: Field, row: number) {
  if (field === 'time') return times[row]!
  const value = values[FIELDS.indexOf(field) - 1]![row]!
  return value === NONE ? null : value
}

/** Collects the positions of a file, in as little memory as their number needs, and the reasons why others are skipped. */
export function createFixes(now: Date) {
  const unused = new Set<string>()
  let damage: Damage | null = null
  let times: Float64Array<ArrayBufferLike> = new Float64Array(1024)
  const values = FIELDS.slice(1).map(() => new Int32Array(1024))
  const errors: { line: number; reason: ImportFault; file?: string }[] = []
  let count = 0
  let skipped = 0

  const skip = (line: number, reason: ImportFault, file?: string) => {
    if (++skipped > IMPORTS.skipped) throw refuseFile('too_complex', line)
    if (errors.length < IMPORTS.errors) errors.push({ line, reason, ...(file !== undefined && { file }) })
  }

  const add = (fix: FileFix, line: number, file?: string) => {
    const reason = findFault(fix, now)
    if (reason) return skip(line, reason, file)
    if (count === IMPORTS.positions) throw refuseFile('too_many', line)
    if (count === times.length) {
      times = grow(times, new Float64Array(count * 2))
      for (const [index, column] of values.entries()) values[index] = grow(column, new Int32Array(count * 2))
    }
    times[count] = Math.floor(fix.time! / 1000)
    for (const [index, value] of storedValues(fix).entries()) values[index]![count] = value ?? NONE
    count++
  }

  /** `file` is the name of a file in an archive. */
  const sinkOf = (file?: string): Sink => ({
    add: (fix, line) => add(fix, line, file),
    skip: (line, reason) => skip(line, reason, file),
    damage(is, line) {
      damage ??= { is, line, ...(file !== undefined && { file }) }
    },
    pass(names) {
      for (const name of names) if (unused.size < IMPORTS.unused) unused.add(name.slice(0, IMPORTS.unusedName))
    },
  })

  return {
    sinkOf,
    errors,
    get damage() {
      return damage
    },
    get unused() {
      return [...unused]
    },
    get skipped() {
      return skipped
    },
    get count() {
      return count
    },
    /** Unix seconds, in the order of the file. */
    times: () => times.subarray(0, count),
    columns: (): FixColumns => ({ times, values }),
  }
}

const grow = <T extends Float64Array | Int32Array>(from: T, to: T): T => {
  to.set(from)
  return to
}

function findFault({ time, lat, lng, lacksFix }: FileFix, now: Date): ImportFault | null {
  if (lacksFix || isNullIsland({ lat, lng })) return 'no_fix'
  if (time === null) return 'no_time'
  if (!Number.isFinite(time)) return 'bad_time'
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return 'bad_coordinates'
  return fixFault(time, now)
}

/** In the order of `FIELDS`, without the time. A measurement outside its limits is dropped, but the position stays. */
const storedValues = ({ lat, lng, precision, event, battery, speed, course, altitude, mark }: FileFix) => [
  toFixed7(lat),
  toFixed7(lng),
  roundWithin(precision, 0, PRECISION.max) ?? PRECISION.unknown,
  indexIn(EVENT_TYPES, event),
  roundWithin(battery, BATTERY_RANGE.unknown, BATTERY_RANGE.millivolts),
  roundWithin(speed === undefined ? undefined : speed * 10, MEASURED.speed[0] * 10, MEASURED.speed[1] * 10),
  wrapCourse(roundWithin(course, 0, 360)),
  roundWithin(altitude, MEASURED.altitude[0], MEASURED.altitude[1]),
  indexIn(POSITION_MARKS, mark),
]

const roundWithin = (value: number | undefined, least: number, most: number) => {
  const rounded = Math.round(value ?? Number.NaN)
  return rounded >= least && rounded <= most ? rounded : null
}

const wrapCourse = (course: number | null) => (course === null ? null : course % 360)

function indexIn(list: readonly string[], name: string | undefined) {
  const index = name === undefined ? -1 : list.indexOf(name)
  return index < 0 ? null : index
}
