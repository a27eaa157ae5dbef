import { type Fix, pointBetween } from '#contracts/rules/geo/coordinates.ts'
import type { Work } from '#contracts/rules/work.ts'
import { createFixColumns, type FixColumns } from './fixes.ts'
import { GAP_MS, type Leg, type Motions, measureMotions } from './trips.ts'

/** Where a tracker was at the start and at the end of a period: null where unknown, or where a fix of the period has that instant. */
export type Borders = { start: Fix | null; end: Fix | null }

export const NO_BORDERS: Borders = { start: null, end: null }

/**
 * The position of a tracker at an instant (ms) between two fixes, interpolated by time. Null without a fix on either side, after a gap, and
 * where the later fix has that instant.
 */
export function interpolateBorder(before: Fix | null, after: Fix | null, at: number): Fix | null {
  if (!before || !after || after.datetime - before.datetime > GAP_MS) return null
  const share = (at - before.datetime) / (after.datetime - before.datetime)
  const { lat, lng } = pointBetween(before, after, share)
  // Coordinates rounded as in the database, so that server and portal compute the same day.
  const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
  const precision = Math.round(before.precision + (after.precision - before.precision) * share)
  return { datetime: at, lat: rounded(lat), lng: rounded(lng), precision }
}

/** The fixes of a period with its borders, of which `before` (0 or 1) precede them. A period without fixes has no borders. */
export function addBorders(fixes: FixColumns, { start, end }: Borders): { path: FixColumns; before: number } {
  const { length } = fixes
  if (length === 0) return { path: fixes, before: 0 }
  const first = start && start.datetime < (fixes.datetime[0] ?? 0) ? start : null
  const last = end && end.datetime > (fixes.datetime[length - 1] ?? 0) ? end : null
  if (!first && !last) return { path: fixes, before: 0 }
  const before = first ? 1 : 0
  const path = createFixColumns(before + length + (last ? 1 : 0))
  for (const column of ['datetime', 'lat', 'lng', 'precision'] as const) {
    path[column].set(fixes[column], before)
    if (first) path[column][0] = first[column]
    if (last) path[column][before + length] = last[column]
  }
  return { path, before }
}

/** The fixes of a period with its borders, and the speed and the metres with which each was reached. */
export type Line = Omit<Motions, 'legs'> & ReturnType<typeof addBorders>

/**
 * The legs of a period from border to border, and its line. Legs are numbered by the fixes of the period: one between a border and a fix
 * begins and ends with that fix.
 */
export function* measurePeriod(fixes: FixColumns, borders: Borders): Work<{ legs: Leg[]; line: Line }> {
  const { path, before } = addBorders(fixes, borders)
  const { legs, kmh, meters } = yield* measureMotions(path)
  const ownIndex = (index: number) => Math.min(Math.max(0, index - before), fixes.length - 1)
  const ownLegs = path === fixes ? legs : legs.map((leg) => ({ ...leg, first: ownIndex(leg.first), last: ownIndex(leg.last) }))
  return { legs: ownLegs, line: { path, before, kmh, meters } }
}
