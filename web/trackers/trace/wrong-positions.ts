import { markFixes } from '#contracts/rules/history/filter.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { millis } from '#contracts/rules/time.ts'
import { finish, type Work } from '#contracts/rules/work.ts'
import { createPositionColumns, type PositionColumns } from '#contracts/track/columns.ts'
import type { Position } from '#contracts/trackers/devices.ts'
import { createTimeSliced } from '#web/lib/time-slices.ts'

/** All positions with their marks, those to draw and to count, and those that look wrong; each list in order of time. */
export type SeparatedPositions = { all: PositionColumns; good: PositionColumns; wrong: PositionColumns }

/** Positions between two pauses. */
const PAUSE = 2048

/** The backend's marks take precedence. Positions without any, as from a backend without marks, are marked here by the same rules. */
export function* separateWrong(positions: PositionColumns): Work<SeparatedPositions> {
  const marked = positions.mark.some((mark) => mark !== 0) ? positions : yield* markPositions(positions)
  const isWrong = marked.texts.map((text) => text !== null && text !== 'kept')
  let count = 0
  for (const mark of marked.mark) if (isWrong[mark]) count++
  if (count === 0) return { all: positions, good: positions, wrong: createPositionColumns(0, positions.texts) }
  yield
  return {
    all: marked,
    good: yield* selectPositions(marked, false, isWrong, count),
    wrong: yield* selectPositions(marked, true, isWrong, count),
  }
}

/** Separates the wrong positions of a history once, in time slices. */
export const separatedOf = createTimeSliced(separateWrong)

function* markPositions(positions: PositionColumns): Work<PositionColumns> {
  const marks = yield* markFixes(positions)
  const texts = [...positions.texts]
  const mark = new Int32Array(positions.length)
  for (const [index, reason] of marks.entries()) {
    if (index % PAUSE === 0) yield
    if (reason === null) continue
    if (!texts.includes(reason)) texts.push(reason)
    mark[index] = texts.indexOf(reason)
  }
  return { ...positions, mark, texts }
}

const COLUMNS = [
  ...(['id', 'datetime', 'lat', 'lng', 'precision', 'battery', 'speed', 'course', 'altitude'] as const),
  ...(['event', 'address', 'mark'] as const),
]

function* selectPositions(from: PositionColumns, wanted: boolean, isWrong: readonly boolean[], wrong: number): Work<PositionColumns> {
  const selected = createPositionColumns(wanted ? wrong : from.length - wrong, from.texts)
  for (let index = 0, at = 0; index < from.length; index++) {
    if (index % PAUSE === 0) yield
    if ((isWrong[from.mark[index] ?? 0] ?? false) !== wanted) continue
    for (const column of COLUMNS) selected[column][at] = from[column][index] ?? 0
    at++
  }
  return selected
}

/** The positions of a public link without those that look wrong, whatever their order. */
export function dropWrong(positions: readonly Position[]): Position[] {
  const fixes = positions.map((position) => ({ ...position, datetime: millis(position.datetime) }))
  const order = fixes.map((_, index) => index).sort((a, b) => (fixes[a]?.datetime ?? 0) - (fixes[b]?.datetime ?? 0))
  const marks = finish(markFixes(toFixColumns(order.flatMap((index) => fixes[index] ?? []))))
  const wrong = new Set(order.filter((_, at) => marks[at] !== null))
  return positions.filter((_, index) => !wrong.has(index))
}
