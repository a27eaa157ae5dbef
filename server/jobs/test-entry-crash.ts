import { createDeadlyDb, quietLog as log, openAddress } from '#server/test/test-deadly.ts'
import { ANCHOR } from '#server/test/test-files.ts'

/** Runs the due jobs on a database and is killed within the transaction after `commits` others; prints what it did. */
const [address = '', commits = '0'] = process.argv.slice(2)
const db = await openAddress(address)
const { runDue } = await import('./run-jobs.ts')
const fired = await runDue(
  { db: createDeadlyDb(db, Number(commits)), log, productName: '', graceDays: 14, payments: { isLive: false } },
  ANCHOR,
)
process.stdout.write(`${fired.length}\n`)
await db.close()
