import type { PositionColumns } from './columns.ts'

/** The name of a position's mark; null if the position counts as right. */
export const markAt = ({ mark, texts }: PositionColumns, index: number) => texts[mark[index] ?? 0] ?? null

/** Returns the history with another mark for the positions of these ids; null removes the mark. */
export function withMarks(columns: PositionColumns, marks: ReadonlyMap<number, string | null>): PositionColumns {
  const texts = [...new Set([...columns.texts, ...marks.values()])]
  const mark = columns.mark.map((known, index) => {
    const next = marks.get(columns.id[index] ?? 0)
    return next === undefined ? known : texts.indexOf(next)
  })
  return { ...columns, texts, mark }
}
