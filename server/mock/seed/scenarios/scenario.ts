import type { Tx } from '#db/db.ts'
import type { Connection } from '#db/sqlite/driver.ts'
import type { City } from '#server/mock/city/city.ts'
import type { Moments } from '#server/mock/seed/records/moments.ts'
import type { SeedDevice } from '#server/mock/seed/records/seed-ids.ts'

/** The family's database while a scenario is made from it. */
export type Scene = {
  tx: Tx
  /** The same transaction, for statements on positions. */
  raw: Connection
  at: Moments
  city: City
  /** Number of trackers, of a scenario with a size. */
  size: number
}

/** A small world for one purpose, made from the family's. */
export type Scenario = {
  title: string
  covers: readonly string[]
  routes: readonly string[]
  /** Personas by key, the main one first; all others are removed. */
  cast: readonly string[]
  /** The trackers that stay; by default all of the cast. */
  trackers?: readonly SeedDevice[]
  /** Number of trackers unless a request names another. */
  size?: number
  /** Adds what the family lacks, before everything else is removed. */
  arrange?: (scene: Scene) => Promise<void>
}

/** A scenario of the user's folder: the database that its worlds begin with, and who is in it. */
export type OwnScenario = { title: string; bytes: Buffer; personas: string[] }
export type OwnScenarios = Map<string, OwnScenario>
