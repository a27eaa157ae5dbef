import type { SqliteDb } from '#db/sqlite/open.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { createWorld, type MockWorldOptions } from '#server/mock/worlds/world.ts'
import type { WorldRequest } from '#server/mock/worlds/worlds.ts'
import { openTestDatabase } from './test-databases.ts'

type Options = Pick<
  MockWorldOptions,
  | 'city'
  | 'log'
  | 'productName'
  | 'limits'
  | 'secondFactor'
  | 'graceDays'
  | 'asksContacts'
  | 'claims'
  | 'phoneMonths'
  | 'moveLimits'
  | 'pauseLimits'
  | 'termsVersion'
> & {
  originOf(id: string): string
}

/**
 * Creates worlds on PostgreSQL for tests of the API. Features of the mock server that use SQLite's bytes, such as snapshots, fail on them.
 */
export const createPostgresFactory =
  ({ originOf, ...common }: Options) =>
  async ({ id, scenario = 'family', clock, graceDays = common.graceDays, asksContacts = common.asksContacts }: WorldRequest) => {
    const db = await openTestDatabase(scenario)
    const { clock: _, ids: _ids, ...seeded } = await readSeed(db.read)
    return createWorld({
      ...common,
      ...seeded,
      claims: common.claims,
      id,
      graceDays,
      asksContacts,
      db: db as unknown as SqliteDb,
      origin: originOf(id),
      clock: { mode: 'frozen', ...clock },
      ids: createSeededIds(seeded.seed, 0),
    })
  }
