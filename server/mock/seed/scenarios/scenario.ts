import type { Tx } from '#db/db.ts'
import type { Connection } from '#db/sqlite/driver.ts'
import type { City } from '#server/mock/city/index.ts'
import type { Moments } from '#server/mock/seed/records/moments.ts'
import type { SeedDevice } from '#server/mock/seed/records/seed-ids.ts'

/** The database of `family` while a scenario is derived from it. */
export type Scene = {
  tx: Tx
  /** `tx` as a connection, for statements on positions. */
  raw: Connection
  at: Moments
  city: City
  /** Number of trackers, for a scenario with a size. */
  size: number
}

/** A small world for one purpose, derived from `family`. */
export type Scenario = {
  title: string
  covers: readonly string[]
  routes: readonly string[]
  /** Personas by key, the main one first; all others are removed. */
  cast: readonly string[]
  /** The trackers that stay; by default all trackers of the personas. */
  trackers?: readonly SeedDevice[]
  /** Default number of trackers. */
  size?: number
  /** Adds rows that `family` lacks, before everything else is removed. */
  arrange?: (scene: Scene) => Promise<void>
}

/** A scenario of the user's folder: the initial database of its worlds, and its personas. */
export type OwnScenario = { title: string; bytes: Buffer; personas: string[] }
export type OwnScenarios = Map<string, OwnScenario>
