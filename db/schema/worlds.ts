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
