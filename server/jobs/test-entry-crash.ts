import { openSqlite } from '#db/sqlite/open.ts'
import { createLive } from '#server/ports/live.ts'
import { createDeadlyDb, quietLog as log } from '#server/test/test-deadly.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { runDue } from './run-jobs.ts'

/** Runs the due jobs on a database file and is killed within the transaction after `commits` others; prints what it did. */
const [file = '', commits = '0'] = process.argv.slice(2)
const db = openSqlite(file)
const fired = await runDue(
  { db: createDeadlyDb(db, Number(commits)), live: createLive(), log, productName: '', payments: { isLive: false } },
  ANCHOR,
)
process.stdout.write(`${fired.length}\n`)
db.close()
