import path from 'node:path'
import { formatProgram } from '#db/program-files.ts'
import { chooseEngine } from '#db/schema/engine.ts'
import { listEndingsOf, restore } from '#db/sqlite/backup.ts'
import { DATABASE_FILENAME, ensureDataDir, runMain } from '#server/http/process.ts'
import { systemClock } from '#server/ports/clock.ts'
import { findEndingsFile, readConfig } from './config.ts'

/**
 * `npm run restore -- FILE`: replaces the database of `DATA_DIR` with a backup and makes it safe to use; the server must be stopped.
 * Modules with tables are loaded once the engine is chosen.
 */
runMain(async () => {
  const [from] = process.argv.slice(2)
  if (!from) throw new Error(`Name the backup file: ${formatProgram('restore')} FILE`)
  const config = readConfig(process.env)
  const { DATA_DIR, DATABASE_URL } = config
  if (DATABASE_URL)
    throw new Error(
      'PostgreSQL is restored with its own tool, into an empty database: pg_restore --no-owner --dbname="$DATABASE_URL" FILE; then: node dist/server/operator.js after-restore',
    )
  ensureDataDir(DATA_DIR)
  chooseEngine(undefined)
  const { lockFolder, openDb } = await import('#db/open/open-db.ts')
  const { finishRestore } = await import('#server/recovery/after-restore.ts')
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const file = path.join(DATA_DIR, DATABASE_FILENAME)
  const former = restore(from, file, systemClock.now())
  print(`Restored ${file} from ${from}.${former ? ` The previous database is now ${former}` : ''}`)
  const unlock = lockFolder(DATA_DIR)
  const db = await openDb(file, { synchronous: 'FULL' })
  await finishRestore({ db, clock: systemClock, print }, { files: [findEndingsFile(config)], more: former ? listEndingsOf(former) : [] })
  await db.close()
  unlock()
})
