import type { HistoryPoint } from '#contracts/positions.ts'
import type { Borders } from '#contracts/rules/history/borders.ts'
import { createFixColumns, type FixColumns, fixAt } from '#contracts/rules/history/fixes.ts'
import { millis } from '#contracts/rules/time.ts'

/**
 * The positions of a history, oldest first, as typed arrays. `battery` and what a device measured (km/h, degrees, metres) are NaN where
 * unknown; `event`, `address` and `mark` are indexes into `texts`, whose first entry is null.
 */
export type PositionColumns = FixColumns & {
  id: Float64Array
  battery: Float64Array
  speed: Float64Array
  course: Float64Array
  altitude: Float64Array
  event: Int32Array
  address: Int32Array
  mark: Int32Array
  texts: readonly (string | null)[]
  /** Positions of the tracker at the start and the end of the history's period, if they were requested. */
  borders?: Borders
}

export const createPositionColumns = (length: number, texts: readonly (string | null)[]): PositionColumns => ({
  ...createFixColumns(length),
  id: new Float64Array(length),
  battery: new Float64Array(length),
  speed: new Float64Array(length),
  course: new Float64Array(length),
  altitude: new Float64Array(length),
  event: new Int32Array(length),
  address: new Int32Array(length),
  mark: new Int32Array(length),
  texts,
})

export const NO_POSITIONS: PositionColumns = createPositionColumns(0, [null])

const MEASURED = ['battery', 'speed', 'course', 'altitude'] as const
const TEXTS = ['event', 'address', 'mark'] as const

/** Numbers texts in the order of their first appearance; null is 0. */
export function createTextIndex() {
  const texts: (string | null)[] = [null]
  const known = new Map<string | null, number>([[null, 0]])
  return {
    texts,
    indexOf(text: string | null) {
      const index = known.get(text) ?? texts.push(text) - 1
      known.set(text, index)
      return index
    },
  }
}

export function toPositionColumns(points: readonly HistoryPoint[]): PositionColumns {
  const { texts, indexOf } = createTextIndex()
  const columns = createPositionColumns(points.length, texts)
  for (const [index, point] of points.entries()) {
    columns.id[index] = point.id
    columns.datetime[index] = millis(point.datetime)
    columns.lat[index] = point.lat
    columns.lng[index] = point.lng
    columns.precision[index] = point.precision
    for (const name of MEASURED) columns[name][index] = point[name] ?? Number.NaN
    for (const name of TEXTS) columns[name][index] = indexOf(point[name] ?? null)
  }
  return columns
}

/** Joins the parts of a history, which must be in order of time. */
export function joinPositions(parts: readonly PositionColumns[]): PositionColumns {
  const shared = joinTexts(parts)
  const joined = createPositionColumns(
    parts.reduce((sum, { length }) => sum + length, 0),
    shared.texts,
  )
  let offset = 0
  for (const part of parts) {
    for (const column of ['id', 'datetime', 'lat', 'lng', 'precision', ...MEASURED] as const) joined[column].set(part[column], offset)
    const indexes = shared.indexesOf(part)
    for (const column of TEXTS) joined[column].set(indexes ? part[column].map((index) => indexes[index] ?? 0) : part[column], offset)
    offset += part.length
  }
  return joined
}

/** The texts of all parts, and for each part the new indexes of its texts, or null where they stay, as in the blocks of one response. */
function joinTexts(parts: readonly PositionColumns[]) {
  const [first] = parts
  if (first && parts.every(({ texts }) => texts === first.texts)) return { texts: first.texts, indexesOf: () => null }
  const { texts, indexOf } = createTextIndex()
  return { texts, indexesOf: (part: PositionColumns) => part.texts.map(indexOf) }
}

export const addressAt = ({ address, texts }: PositionColumns, index: number) => texts[address[index] ?? 0] ?? null

/** Returns the position at `index` in the form of the documented page of positions. */
export const pointAt = (columns: PositionColumns, index: number): HistoryPoint => {
  const { datetime, ...fix } = fixAt(columns, index)
  return {
    id: columns.id[index] ?? 0,
    ...fix,
    datetime: new Date(datetime).toISOString(),
    address: addressAt(columns, index),
    event: columns.texts[columns.event[index] ?? 0] ?? null,
    battery: numberOrNull(columns.battery[index]),
    ...measuredAt(columns, index),
  }
}

function measuredAt(columns: PositionColumns, index: number): Partial<HistoryPoint> {
  const known: Partial<HistoryPoint> = {}
  for (const name of ['speed', 'course', 'altitude'] as const) {
    const value = columns[name][index] ?? Number.NaN
    if (!Number.isNaN(value)) known[name] = value
  }
  const mark = columns.texts[columns.mark[index] ?? 0]
  return mark ? { ...known, mark } : known
}

const numberOrNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value)
