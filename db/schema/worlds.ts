import type { NewFault } from '#contracts/mock/faults.ts'
import { instant, int, json, str, table } from './columns.ts'

/** How the clock of a world went when a snapshot was taken of it. */
type KeptClock = { at: string; mode: 'frozen' | 'flow'; rate: number }

/** What seeded demo data was laid around; empty in production. The simulator goes on from here. */
export const seeds = table('seeds', {
  seed: int().primaryKey(),
  anchor: instant().notNull(),
  scenario: str().notNull().default('family'),
  /** Number of trackers of a scenario with a size. */
  size: int(),
  /** Of a snapshot only: where time stood, and how many ids were drawn. */
  clock: json<KeptClock>(),
  ids: int(),
  /** Faults and recorded answers that a world begins with, where its scenario has none of its own. */
  faults: json<NewFault[]>(),
})

/** One row: when a server last saw that its clock is right. Written every minute, so that a gap shows how long no server ran. */
export const clockMarks = table('clock_marks', {
  key: str().primaryKey(),
  seenAt: instant().notNull(),
  /** Rows up to this instant are no evidence of the time, because an accepted clock was behind them. */
  ignoredUntil: instant(),
  /** By how many seconds removals by age are behind: the sum of the gaps in which no server ran. */
  removalLag: int().notNull().default(0),
})
