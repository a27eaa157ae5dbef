import type { NewFault } from '#contracts/mock/faults.ts'
import { instant, int, json, str, table } from './columns.ts'

/** The state of a world's clock at the time of its snapshot. */
type KeptClock = { at: string; mode: 'frozen' | 'flow'; rate: number }

/** The instant that seeded demo data is relative to; empty in production. The simulator continues from here. */
export const seeds = table('seeds', {
  seed: int().primaryKey(),
  anchor: instant().notNull(),
  scenario: str().notNull().default('family'),
  /** Number of trackers of a scenario with a size. */
  size: int(),
  /** In a snapshot only: the time of its clock, and the number of generated ids. */
  clock: json<KeptClock>(),
  ids: int(),
  /** Whether only trackers in stock can be claimed; null for the setting of the server. */
  claims: str<'stock' | 'any'>(),
  /** Initial faults and recorded responses of a world, if its scenario has none of its own. */
  faults: json<NewFault[]>(),
})

/** One row: when a server last verified its clock. Written every minute, so that a gap shows how long no server ran. */
export const clockMarks = table('clock_marks', {
  key: str().primaryKey(),
  seenAt: instant().notNull(),
  /** Rows up to this instant are no evidence of the time, because the clock was wrong when they were written. */
  ignoredUntil: instant(),
  /** Seconds by which removals by age are postponed: the sum of the gaps in which no server ran. */
  removalLag: int().notNull().default(0),
})
