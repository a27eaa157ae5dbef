import { createPositionColumns, NO_POSITIONS, type PositionColumns } from './columns.ts'

/** The word of a position's mark; null for one that is believed to be right. */
export const markAt = ({ mark, texts }: PositionColumns, index: number) => texts[mark[index] ?? 0] ?? null

/** Splits a history into positions that count, among them those their owner declared right, and those that look wrong. */
export function splitByMark(columns: PositionColumns): { right: PositionColumns; wrong: PositionColumns } {
  const isWrong = columns.texts.map((text) => text !== null && text !== 'kept')
  const [right, wrong]: [number[], number[]] = [[], []]
  for (let index = 0; index < columns.length; index++) (isWrong[columns.mark[index] ?? 0] ? wrong : right).push(index)
  return wrong.length === 0 ? { right: columns, wrong: NO_POSITIONS } : { right: pick(columns, right), wrong: pick(columns, wrong) }
}

const COLUMNS = ['id', 'datetime', 'lat', 'lng', 'precision', 'battery', 'speed', 'course', 'altitude', 'event', 'address', 'mark'] as const

function pick(columns: PositionColumns, indexes: readonly number[]): PositionColumns {
  const picked = createPositionColumns(indexes.length, columns.texts)
  for (const name of COLUMNS) for (const [at, index] of indexes.entries()) picked[name][at] = columns[name][index] ?? 0
  return picked
}

/** The same history with other marks for the positions of these ids; null for none. */
export function withMarks(columns: PositionColumns, marks: ReadonlyMap<number, string | null>): PositionColumns {
  const texts = [...new Set([...columns.texts, ...marks.values()])]
  const mark = columns.mark.map((known, index) => {
    const next = marks.get(columns.id[index] ?? 0)
    return next === undefined ? known : texts.indexOf(next)
  })
  return { ...columns, texts, mark }
}
