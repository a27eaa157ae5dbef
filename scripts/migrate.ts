import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { chooseEngine } from '#db/schema/engine.ts'
import { readConfig } from '#server/config.ts'
import { DATABASE_FILENAME, runMain } from '#server/http/process.ts'
import { systemClock } from '#server/ports/clock.ts'

/** `npm run migrate`: brings the database of `DATABASE_URL`, or the one of `DATA_DIR`, to the newest schema. */
runMain(async () => {
  const { DATA_DIR, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = readConfig(process.env)
  chooseEngine(url)
  const { openDb, openSharedDb } = await import('#db/open/open-db.ts')
  if (!url) mkdirSync(DATA_DIR, { recursive: true })
  const file = path.join(DATA_DIR, DATABASE_FILENAME)
  const db = url ? await openSharedDb(url, systemClock.now(), { max: 2, directUrl }) : await openDb(file, {})
  await db.close()
  console.log(`${url ? 'The database' : file} is at the newest schema`)
})
