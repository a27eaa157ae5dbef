import { seeds } from '#db/schema/worlds.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** Reads the seed, anchor and saved clock of a database. Throws when it holds no demo data. */
export async function readSeed(db: Reader) {
  const [seeded] = await db.select().from(seeds)
  if (!seeded) throw new Error('This database holds no demo data. Move the file away, or run "npm run seed -- --force".')
  return seeded
}
