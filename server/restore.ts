import path from 'node:path'
import { restore } from '#db/sqlite/backup.ts'
import { DATABASE_FILENAME, ensureDataDir, runMain } from '#server/http/process.ts'
import { systemClock } from '#server/ports/clock.ts'
import { readConfig } from './config.ts'

/** `npm run restore -- FILE`: replaces the database of `DATA_DIR` with a backup; the server must be stopped. */
runMain(async () => {
  const [from] = process.argv.slice(2)
  if (!from) throw new Error('Name the backup file: npm run restore -- FILE')
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
  if (DATABASE_URL)
    throw new Error('PostgreSQL is restored with its own tool, into an empty database: pg_restore --no-owner --dbname="$DATABASE_URL" FILE')
  ensureDataDir(DATA_DIR)
  const file = path.join(DATA_DIR, DATABASE_FILENAME)
  const former = restore(from, file, systemClock.now())
  process.stdout.write(`Restored ${file} from ${from}.${former ? ` The previous database is now ${former}` : ''}\n`)
})
