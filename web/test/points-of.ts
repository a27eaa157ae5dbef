import { type PositionColumns, pointAt } from '#contracts/track/columns.ts'

/** The positions of a history as objects; none for undefined. */
export const pointsOf = (columns: PositionColumns | undefined) =>
  Array.from({ length: columns?.length ?? 0 }, (_, index) => pointAt(columns as PositionColumns, index))
