import { max } from 'drizzle-orm'
import type { Db, DbReader } from '#db/db.ts'
import { chooseWording } from '#db/program-files.ts'
import { devices } from '#db/schema/devices.ts'
import { seeds } from '#db/schema/worlds.ts'

/** Reads the seed, anchor and saved clock of a database. Throws when it contains no demo data. */
export async function readSeed(db: DbReader) {
  const [seeded] = await db.select().from(seeds)
  const remedy = chooseWording('run "npm run seed -- --force"', 'name another folder with "npx whereabouts up --data FOLDER"')
  if (!seeded) throw new Error(`This database holds no demo data. Move the file away, or ${remedy}.`)
  return seeded
}

/** Saves which trackers accounts may claim, for snapshots and documents of the world. */
export const chooseClaims = (db: Db, claims: 'stock' | 'any') => db.write('everything', (tx) => tx.update(seeds).set({ claims }))

/** Reads when any tracker last sent something; null if no tracker ever did. */
export async function readLastMessageDate(db: DbReader) {
  const [newest] = await db.select({ at: max(devices.lastMessageAt) }).from(devices)
  return newest?.at ?? null
}
