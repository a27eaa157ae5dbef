import { isTooLong, type Quantity, readMeasure, splitUnit } from './number.ts'

/** Names of measurements in files and messages, in lower case and letters only. If several occur together, the first in the list counts. */
export const MEASURE_NAMES = {
  precision: [
    ...['precision', 'accuracy', 'acc', 'hacc', 'horizontalaccuracy', 'haccuracy', 'gpsaccuracy', 'accuracymeters', 'eph', 'uncertainty'],
    ...['positionaccuracy', 'locationaccuracy', 'horizontalerror'],
  ],
  speed: ['speed', 'velocity', 'vel', 'kmh', 'spd', 'gpsspeed', 'groundspeed', 'speedoverground', 'sog'],
  course: ['course', 'bearing', 'heading', 'direction', 'cog', 'gpscourse', 'courseoverground', 'azimuth', 'hdg'],
  altitude: ['altitude', 'alt', 'ele', 'elevation', 'height', 'gpsaltitude', 'elev', 'gpsalt'],
} as const satisfies Record<string, readonly string[]>
export type Measure = keyof typeof MEASURE_NAMES

export const MEASURE_QUANTITIES = { precision: 'length', speed: 'speed', course: 'angle', altitude: 'length' } as const satisfies Record<
  Measure,
  Quantity
>

export const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Finds a known name followed by a unit, and its rank in the list: `speed (mph)` and `speedMph` show where the unit begins; `speedmph` is
 * split by the known names.
 */
export function findNameWithUnit(name: string, known: readonly string[], quantity: Quantity): { rank: number; unit: string } | undefined {
  const plain = plainName(name)
  const start = known.find((each) => plain.startsWith(each)) ?? plain
  for (const text of [name, `${start} ${plain.slice(start.length)}`]) {
    const { name: rest, unit } = splitUnit(text, quantity)
    const rank = unit === undefined ? -1 : known.indexOf(plainName(rest))
    if (rank >= 0) return { rank, unit: unit! }
  }
  return undefined
}

type NamedMeasure = { measure: Measure; unit?: string }

/** Cached, because programs send the same few names again and again. */
const known = new Map<string, NamedMeasure | null>()
const MOST_KNOWN = 2000

function readMeasureName(name: string): NamedMeasure | null {
  if (isTooLong(name)) return null
  const found = known.get(name)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const read = findMeasureName(name)
  known.set(name, read)
  return read
}

function findMeasureName(name: string): NamedMeasure | null {
  const plain = plainName(name)
  for (const [measure, names] of Object.entries(MEASURE_NAMES) as [Measure, readonly string[]][]) {
    if (names.includes(plain)) return { measure }
    const unit = findNameWithUnit(name, names, MEASURE_QUANTITIES[measure])?.unit
    if (unit !== undefined) return { measure, unit }
  }
  return null
}

/**
 * Measurements whose unit is part of the field's name, as in `altitude_ft`, or follows the number, as in `12 m`: in km/h, metres and
 * degrees. They are understood without knowing the program, and so take precedence over the others. Earlier groups of fields take
 * precedence over later ones.
 */
export function findMeasuresWithUnit(groups: readonly object[]): Partial<Record<Measure, number>> {
  const measures: Partial<Record<Measure, number>> = {}
  for (const fields of groups as readonly Record<string, unknown>[])
    for (const name in fields) {
      const value = fields[name]
      if (typeof value !== 'number' && typeof value !== 'string') continue
      const found = readMeasureName(name)
      if (!found || (found.unit === undefined && !endsInUnit(value))) continue
      const read = readMeasure(value, MEASURE_QUANTITIES[found.measure], found.unit)
      if (read !== undefined) measures[found.measure] ??= read
    }
  return measures
}

/** Most numbers end with a digit and have no unit. */
const endsInUnit = (value: string | number) => typeof value === 'string' && !/\d$/.test(value) && /[a-z°]\s*$/i.test(value.slice(-5))
