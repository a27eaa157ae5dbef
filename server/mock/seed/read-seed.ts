import { seeds } from '#db/schema/worlds.ts'
import type { Reader } from '#db/sqlite/open.ts'

/** What the demo data in a database was laid around, and where it stood when it was kept. Throws when the database holds none. */
export async function readSeed(db: Reader) {
  const [seeded] = await db.select().from(seeds)
  if (!seeded) throw new Error('This database holds no demo data. Move the file away, or run "npm run seed -- --force".')
  return seeded
}
