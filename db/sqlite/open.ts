import { chmodSync, existsSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as runMigrations } from 'drizzle-orm/better-sqlite3/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { classifyDbError } from '#db/classify-error.ts'
import { createCommits, runParts } from '#db/commit-hooks.ts'
import type { Db, TransactionCounts, Tx } from '#db/db.ts'
import { createDeviceChanges } from '#db/device-changes.ts'
import { createHistoryReader } from '#db/positions.ts'
import { findProgramFile, formatProgram } from '#db/program-files.ts'
import { tables } from '#db/schema/tables.ts'
import { committedReader } from './committed-reader.ts'
import { type Connection, connect, type ReadCommitted } from './driver.ts'
import { sqlitePositions } from './positions.ts'
import { explain } from './problems.ts'
import { createWatchVersions } from './watch-versions.ts'

/** A SQLite database: the parts that only the mock server, backups and tests may use. */
export type SqliteDb = Db & {
  /** The writing connection. */
  raw: Connection
  /** The reading connection; in memory the same as `raw`. */
  rawRead: Connection
}

/** `busyTimeout`: how long opening and each write wait for another program's lock, in milliseconds. */
export type OpenOptions = { synchronous?: 'NORMAL' | 'FULL'; busyTimeout?: number }

const BUSY_TIMEOUT_MS = 5000
const BUSY_RETRY_MS = 20
const PAGE_BYTES = 4096
/** At this size, 16 MB, the journal is written back to the database and truncated. */
const WAL_PAGES = 4096

export const MIGRATIONS = findProgramFile('db/migrations')

/** Opens a file or the bytes of a snapshot. Throws one readable sentence when it is damaged, locked or not writable. */
export function openSqlite(source: string | Buffer, options: OpenOptions = {}): SqliteDb {
  const isFile = typeof source === 'string' && source !== ':memory:'
  try {
    if (isFile) refuseEmpty(source)
    const raw = prepare(connect(source), options)
    if (!isFile) return createDb(raw, raw, options)
    protect(source)
    const rawRead = prepare(connect(source), options)
    rawRead.pragma('query_only = ON')
    return createDb(raw, rawRead, options)
  } catch (error) {
    throw isFile ? explain(error, source) : error
  }
}

/** A new database has no file yet; an empty file is the remainder of a lost database. */
function refuseEmpty(file: string) {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0 || existsSync(`${file}-wal`)) return
  throw new Error(
    `The database ${file} is empty. Restore a backup with "${formatProgram('restore')} FILE", or remove the file to begin without data.`,
  )
}

/** Only this user may read positions and sessions; SQLite gives the journal's files the same permissions. */
function protect(file: string) {
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600)
}

/** Throws one sentence when a newer release has migrated the database: this release would write rows that break its rules. */
function refuseNewer({ raw }: Pick<SqliteDb, 'raw'>, migrationsFolder: string) {
  if (!raw.prepare("select 1 from sqlite_schema where name = '__drizzle_migrations'").get()) return
  const newest = raw.prepare('select max(created_at) from __drizzle_migrations').pluck().get()
  if (Number(newest) > newestMigration(migrationsFolder))
    throw new Error(`The database ${raw.name} belongs to a newer release. Install that release, or restore a backup made before it.`)
}

/** The instant of the newest migration of this release. */
export const newestMigration = (migrationsFolder = MIGRATIONS) => readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0

/** Brings a database to the newest schema; forward only, each migration in a transaction of its own. */
export function migrate(db: Pick<SqliteDb, 'raw'>, migrationsFolder = MIGRATIONS) {
  refuseNewer(db, migrationsFolder)
  db.raw.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  db.raw.pragma('foreign_keys = OFF')
  try {
    runMigrations(drizzle(db.raw, { casing: 'snake_case' }), { migrationsFolder })
  } finally {
    db.raw.pragma('foreign_keys = ON')
    db.raw.pragma('busy_timeout = 0')
  }
}

function prepare(connection: Connection, { synchronous = 'NORMAL', busyTimeout = BUSY_TIMEOUT_MS }: OpenOptions) {
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma(`wal_autocheckpoint = ${WAL_PAGES}`)
  connection.pragma(`journal_size_limit = ${WAL_PAGES * PAGE_BYTES}`)
  connection.prepare('select count(*) from sqlite_schema').get() // reads the file, so that damage shows here and not at the first request
  return connection
}

function createDb(raw: Connection, rawRead: Connection, { busyTimeout = BUSY_TIMEOUT_MS }: OpenOptions): SqliteDb {
  // From here on waits are asynchronous: waiting in the driver would block every request of the process.
  raw.pragma('busy_timeout = 0')
  const writer = asTx(drizzle(raw, { schema: tables, casing: 'snake_case' }))
  const transactions: TransactionCounts = { committed: 0, retried: 0, failed: 0 }
  const queue = createWriteQueue(raw, busyTimeout, (error) => {
    if (classifyDbError(error) === 'unavailable') transactions.failed++
  })
  const [changes, commits] = [createDeviceChanges(() => queue.isOpen()), createCommits()]
  const isShared = rawRead === raw
  if (isShared) raw.pragma('cache_size = -256') // a larger cache would hold most of the database a second time
  const read = isShared ? committedReader(raw, queue.readCommitted) : asTx(drizzle(rawRead, { schema: tables, casing: 'snake_case' }))
  const changedRows = raw.prepare('select total_changes()').pluck()
  const positions = sqlitePositions(raw, rawRead, isShared ? queue.readCommitted : async (read) => read())
  const [history, probe] = [createHistoryReader(positions, read), createWriteProbe(raw, (work) => queue.run(work, () => undefined))]
  // The only writing connection runs one transaction at a time, whatever it locks.
  const write: Db['write'] = (lock, work) => {
    let rowsBefore: unknown
    const run = () => {
      rowsBefore = changedRows.get()
      return runParts(writer, lock, work)
    }
    return queue.run(run, (isCommitted) => {
      if (isCommitted) transactions.committed++
      commits.settle(writer, isCommitted, (touched) => {
        if (touched) changes.mark(touched)
        else if (changedRows.get() !== rowsBefore) changes.markAll()
      })
    })
  }
  return {
    read,
    write,
    long: { read, write },
    raw,
    rawRead,
    changes,
    onEvent: commits.onEvent,
    isShared: false, // no other process opens the database
    lease: (_key, work) => work(async () => {}),
    positions,
    history: () => history,
    watchVersion: createWatchVersions(raw),
    transactions,
    async isReady() {
      const [row] = await read
        .select({ n: sql<number>`count(*)` })
        .from(sql`__drizzle_migrations`)
        .where(sql`exists (select 1 from users) or true`)
      if (row?.n !== migrationsKnown()) return false
      await probe()
      return true
    },
    async close() {
      if (!isShared) rawRead.close()
      raw.close()
    },
  }
}

/** Runs queries of the synchronous driver behind promises, like the other engine. */
const asTx = (drizzled: ReturnType<typeof drizzle<typeof tables>>) => drizzled as unknown as Tx

const PROBE_PAUSE_MS = 5000
const PROBE_PATIENCE_MS = 500

/**
 * Returns a function that rejects when nothing can be written, such as on a full disk: only a commit shows that. It commits a number that
 * nothing reads, at most every five seconds, since anybody may call it. While it waits behind long transactions, the last result counts.
 */
function createWriteProbe(raw: Connection, write: (work: () => Promise<void>) => Promise<void>) {
  let last: { at: number; result: Promise<void> } | undefined
  let known: Promise<void> = Promise.resolve()
  return () => {
    const at = performance.now()
    if (!last || at - last.at > PROBE_PAUSE_MS) {
      const result = write(async () => void raw.pragma(`user_version = ${1 + (Math.floor(at) % 1000)}`))
      const save = () => {
        known = result
      }
      result.then(save, save)
      last = { at, result }
    }
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PROBE_PATIENCE_MS)
    })
    return Promise.race([last.result, patience.then(() => known)]).finally(() => clearTimeout(timer))
  }
}

let known: number | undefined
/** The migrations of this release, read once. */
const migrationsKnown = () => (known ??= readMigrationFiles({ migrationsFolder: MIGRATIONS }).length)

/** Runs the transactions of a connection one after the other. */
function createWriteQueue(raw: Connection, busyTimeout: number, onError: (error: unknown) => void) {
  let last: Promise<unknown> = Promise.resolve()
  let open: { ended: Promise<void>; end: () => void } | null = null
  let waitingReads = 0
  /** When the first of the transactions began that followed each other without a turn of the event loop. */
  let rowBegan: number | null = null

  /** A long queue of commits on a slow disk must not block requests that write nothing. */
  const isTurnDue = () => rowBegan !== null && performance.now() - rowBegan > LONGEST_ROW_MS

  function noteRow() {
    if (rowBegan !== null) return
    rowBegan = performance.now()
    void setImmediate().then(() => {
      rowBegan = null
    })
  }

  async function transact<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void) {
    if (isTurnDue()) await setImmediate()
    noteRow()
    // Reads that waited for the previous transaction resume first; they need a few ticks, so that a long queue does not starve them.
    for (let tick = 0; waitingReads > 0 && tick < MAX_TICKS; tick++) await null
    await begin(raw, busyTimeout)
    open = createSignal()
    const { end } = open
    let isCommitted = false
    try {
      const result = await work()
      raw.exec('COMMIT')
      isCommitted = true
      return result
    } finally {
      if (raw.open && raw.inTransaction) raw.exec('ROLLBACK')
      open = null
      end()
      onEnd(isCommitted)
    }
  }

  const readCommitted: ReadCommitted = async (read) => {
    waitingReads++
    try {
      while (open) await orFail(open.ended)
    } finally {
      waitingReads--
    }
    return read()
  }

  return {
    /** `onEnd` runs right after the commit or the rollback, before a read that waits for it and before the next transaction. */
    run<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void): Promise<T> {
      const result = last.then(() => transact(work, onEnd))
      last = result.catch(onError)
      return result
    },
    isOpen: () => open !== null,
    /**
     * For readers that share the connection of the writer, where they would see uncommitted rows: waits for the end of the open transaction.
     * A read inside that very transaction would wait for itself, so it is rejected after ten seconds. (AsyncLocalStorage would know at once,
     * but slows every promise of Node 20 by half.)
     */
    readCommitted,
  }
}

/** Begins a transaction. Tries again while another program has the lock, for `busyTimeout` in all. */
async function begin(raw: Connection, busyTimeout: number) {
  for (let waited = 0; ; waited += BUSY_RETRY_MS) {
    try {
      return raw.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if (waited >= busyTimeout || !isBusy(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS))
    }
  }
}

const isBusy = (error: unknown) => error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

const MAX_TICKS = 20
/** The event loop gets a turn after this time of commits. */
const LONGEST_ROW_MS = 20
const PATIENCE_MS = 10_000

function orFail(ended: Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_, reject) => {
    const error = new Error('A read waited 10 seconds for a transaction. Inside db.write read through its tx, not through db.read.')
    timer = setTimeout(() => reject(error), PATIENCE_MS).unref()
  })
  return Promise.race([ended, failure]).finally(() => clearTimeout(timer))
}

function createSignal() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
}
