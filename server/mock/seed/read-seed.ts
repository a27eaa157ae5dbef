import type { DbReader } from '#db/db.ts'
import { seeds } from '#db/schema/worlds.ts'

/** Reads the seed, anchor and saved clock of a database. Throws when it holds no demo data. */
export async function readSeed(db: DbReader) {
  const [seeded] = await db.select().from(seeds)
  if (!seeded) throw new Error('This database holds no demo data. Move the file away, or run "npm run seed -- --force".')
  return seeded
}
