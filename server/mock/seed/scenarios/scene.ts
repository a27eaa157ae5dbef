import type { Connection } from '#db/sqlite/driver.ts'
import type { Tx } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/city.ts'
import type { Moments } from '#server/mock/seed/records/moments.ts'
import type { SeedDevice } from '#server/mock/seed/records/seed-ids.ts'

/** The family's world while a scenario is made of it. */
export type Scene = {
  tx: Tx
  /** For positions, in the same transaction. */
  raw: Connection
  at: Moments
  city: City
}

/** A world of a few people, told for one purpose. */
export type Scenario = {
  title: string
  /** Sections of the specification. */
  covers: readonly string[]
  /** Screens it is made for. */
  routes: readonly string[]
  /** Personas by key, the one it is about first; all others are not there. */
  cast: readonly string[]
  /** The trackers that stay; all those of the cast when left out. */
  trackers?: readonly SeedDevice[]
  /** Arranges what the family does not show, before all that is not needed goes. */
  arrange?: (scene: Scene) => Promise<void>
}
