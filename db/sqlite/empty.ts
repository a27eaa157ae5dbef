import { migrate, openSqlite, type SqliteDb } from './open.ts'

let migrated: Buffer | undefined

/** Opens a database in memory with all tables and no rows. The migrations, which take most of its time, run once in a process. */
export function openEmpty(): SqliteDb {
  migrated ??= migrateEmpty()
  return openSqlite(migrated)
}

function migrateEmpty() {
  const db = openSqlite(':memory:')
  migrate(db)
  const bytes = db.raw.serialize()
  db.close()
  return bytes
}
