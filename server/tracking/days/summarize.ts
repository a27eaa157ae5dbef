import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { type Borders, interpolateBorder } from '#contracts/rules/history/borders.ts'
import { type DaySummary, summarizeDay } from '#contracts/rules/history/day-summary.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { createFixColumns } from '#contracts/rules/history/fixes.ts'
import type { Work } from '#contracts/rules/work.ts'
import { fromFixed7, type Neighbours, type PositionColumns, type PositionRow } from '#db/positions.ts'
import type { Span, SummaryRow } from './day-summaries.store.ts'

/** Computes the row of a day from its positions and those next to its borders. */
export function* summarizeRows(deviceId: number, { start, end }: Span, stored: Stored, beside: readonly Neighbours[]): Work<SummaryRow> {
  const fixes = createFixColumns(stored.time.length)
  for (let index = 0; index < fixes.length; index++) {
    fixes.datetime[index] = (stored.time[index] ?? 0) * 1000
    fixes.lat[index] = fromFixed7(stored.lat[index] ?? 0)
    fixes.lng[index] = fromFixed7(stored.lng[index] ?? 0)
    fixes.precision[index] = stored.precision[index] ?? 0
  }
  const marks = stored.mark.map((mark) => (mark === null ? null : (POSITION_MARKS[mark] ?? null)))
  return { deviceId, start, end, ...toColumns(yield* summarizeDay(fixes, marks, findBorders({ start, end }, beside))), isStale: false }
}

/** Positions of the tracker at the first second of a span and just after its last, from the neighbouring positions. */
export const findBorders = ({ start, end }: Span, [atStart, atEnd]: readonly Neighbours[]): Borders => ({
  start: borderAt(start, atStart),
  end: borderAt(end, atEnd),
})

const borderAt = (second: number, beside: Neighbours | undefined) =>
  beside ? interpolateBorder(toFix(beside.before), toFix(beside.after), second * 1000) : null

const toFix = (row: PositionRow | null): Fix | null =>
  row && { datetime: row.time * 1000, lat: fromFixed7(row.lat), lng: fromFixed7(row.lng), precision: row.precision }

export type Stored = Pick<PositionColumns, 'time' | 'lat' | 'lng' | 'precision' | 'mark'>

const toColumns = ({ meters, movingMs, topSpeedKmh, trips, stops, longestStopMs, positions, first, last, sketches }: DaySummary) => ({
  meters: Math.round(meters),
  movingSeconds: Math.round(movingMs / 1000),
  topSpeed: Math.round(topSpeedKmh * 10),
  trips,
  stops,
  longestStopSeconds: Math.round(longestStopMs / 1000),
  positions,
  firstTime: first === null ? null : first / 1000,
  lastTime: last === null ? null : last / 1000,
  sketches: JSON.stringify(sketches),
})

const NOTHING: DaySummary = {
  ...{ meters: 0, movingMs: 0, topSpeedKmh: 0, trips: 0, stops: 0, longestStopMs: 0, positions: 0 },
  ...{ first: null, last: null, sketches: [] },
}

/** A day without positions. */
export const emptySummary = (deviceId: number, { start, end }: Span): SummaryRow => ({
  deviceId,
  start,
  end,
  ...toColumns(NOTHING),
  isStale: false,
})
