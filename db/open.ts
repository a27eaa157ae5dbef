import type { Db } from '#db/sqlite/open.ts'
import { migrate, type OpenOptions, openDb } from '#db/sqlite/open.ts'

/** Opens the database of the production server and brings it to the schema of this release. Rejects with one readable sentence. */
export async function openDatabase(file: string, options: OpenOptions): Promise<Db> {
  const db = openDb(file, options)
  migrate(db)
  return db
}
