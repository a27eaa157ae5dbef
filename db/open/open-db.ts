import type { Db } from '#db/db.ts'
import { migrate as migratePostgres, openPostgres, type PostgresOptions } from '#db/postgres/open.ts'
import { formatProgram } from '#db/program-files.ts'
import { lockFolder } from '#db/sqlite/lock.ts'
import { migrate, type OpenOptions, openSqlite } from '#db/sqlite/open.ts'

/** Opens the database of the production server and migrates it to the schema of this release. Rejects with one readable sentence. */
export async function openDb(file: string, options: OpenOptions): Promise<Db> {
  const db = openSqlite(file, options)
  migrate(db)
  return db
}

/** The same on PostgreSQL, where other servers may use the database at the same time. */
export async function openSharedDb(url: string, now: Date, options: PostgresOptions): Promise<Db> {
  const db = await openPostgres(url, options)
  try {
    await migratePostgres(db, now)
    const { rows } = await db.connections.pool.query("select to_regclass('whereabouts_move.progress') as name")
    if (rows[0]?.name)
      throw new Error(`A move into this database has not ended. Run it again: ${formatProgram('move')} --from data --to postgres://…`)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

export { lockFolder }
