import path from 'node:path'
import { formatProgram } from '#db/program-files.ts'
import { backUp } from '#db/sqlite/backup.ts'
import { DATABASE_FILENAME, runMain } from '#server/http/process.ts'
import { readConfig } from './config.ts'

/** `npm run backup -- FILE`: copies the database of `DATA_DIR` into a file; the server may keep running. */
runMain(async () => {
  const [to] = process.argv.slice(2)
  if (!to) throw new Error(`Name the backup file: ${formatProgram('backup')} FILE`)
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env)
  if (DATABASE_URL) throw new Error('PostgreSQL is backed up with its own tool: pg_dump --format=custom --file=FILE "$DATABASE_URL"')
  const file = path.join(DATA_DIR, DATABASE_FILENAME)
  backUp(file, to)
  process.stdout.write(`Backed up ${file} to ${to}\n`)
})
