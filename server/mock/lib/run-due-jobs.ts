import { GRACE_DAYS } from '#contracts/rules/service.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import { runDue } from '#server/jobs/run-jobs.ts'

const SILENT = { info() {}, warn() {}, error() {} }

/** Runs the jobs that are due in a database of which no world has been made yet: all of them, or those given. */
export const runDueJobs = (db: SqliteDb, now: Date, options?: Parameters<typeof runDue>[2]) =>
  runDue({ db, log: SILENT, productName: '', graceDays: GRACE_DAYS.usual, payments: { isLive: false } }, now, options)
