import type { Db } from '#db/db.ts'
import { lockFolder } from '#db/sqlite/lock.ts'
import { migrate, type OpenOptions, openSqlite } from '#db/sqlite/open.ts'

/** Opens the database of the production server and brings it to the schema of this release. Rejects with one readable sentence. */
export async function openDb(file: string, options: OpenOptions): Promise<Db> {
  const db = openSqlite(file, options)
  migrate(db)
  return db
}

export { lockFolder }
