import type { Work } from '#contracts/rules/work.ts'
import { addBorders, type Borders } from './borders.ts'
import { markFixes, type POSITION_MARKS } from './filter.ts'
import { createFixColumns, type FixColumns } from './fixes.ts'
import { PAUSE } from './path.ts'
import { computeTotals, splitIntoLegs } from './trips.ts'
import { sketchTrips, type TripSketch } from './ways.ts'

export type Mark = (typeof POSITION_MARKS)[number]

/** The totals that a day's history shows, and its trips in outline. `first` and `last` (ms) are null without a valid position. */
export type DaySummary = ReturnType<typeof computeTotals> & {
  topSpeedKmh: number
  trips: number
  positions: number
  first: number | null
  last: number | null
  sketches: TripSketch[]
}

/**
 * Summarizes the fixes of one day, in order of time, as the history of that day shows them: from border to border, though only fixes of the
 * day are counted. Saved marks count; fixes without any are marked by the same rules.
 */
export function* summarizeDay(fixes: FixColumns, saved: readonly (Mark | null)[], borders: Borders): Work<DaySummary> {
  const marks: readonly (Mark | null)[] = saved.some((mark) => mark !== null) ? saved : yield* markFixes(fixes)
  const good = yield* selectBelieved(fixes, marks)
  const { path } = addBorders(good, borders)
  const legs = yield* splitIntoLegs(path)
  return {
    ...computeTotals(legs),
    topSpeedKmh: legs.reduce((most, { topSpeedKmh }) => Math.max(most, topSpeedKmh), 0),
    trips: legs.filter(({ kind }) => kind === 'trip').length,
    positions: good.length,
    first: good.datetime[0] ?? null,
    last: good.datetime[good.length - 1] ?? null,
    sketches: yield* sketchTrips(path, legs),
  }
}

function* selectBelieved(fixes: FixColumns, marks: readonly (Mark | null)[]): Work<FixColumns> {
  const isBelieved = (index: number) => (marks[index] ?? null) === null || marks[index] === 'kept'
  let count = 0
  for (let index = 0; index < fixes.length; index++) if (isBelieved(index)) count++
  if (count === fixes.length) return fixes
  const selected = createFixColumns(count)
  for (let index = 0, at = 0; index < fixes.length; index++) {
    if (index % PAUSE === 0) yield
    if (!isBelieved(index)) continue
    for (const column of ['datetime', 'lat', 'lng', 'precision'] as const) selected[column][at] = fixes[column][index] ?? 0
    at++
  }
  return selected
}
