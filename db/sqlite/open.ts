import path from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as runMigrations } from 'drizzle-orm/better-sqlite3/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Db } from '#db/db.ts'
import { createDeviceChanges } from '#db/device-changes.ts'
import { tables } from '#db/schema/tables.ts'
import { committedReader } from './committed-reader.ts'
import { type Connection, connect, type ReadCommitted } from './driver.ts'
import { sqlitePositions } from './positions.ts'
import { explain } from './problems.ts'

/** A SQLite database: what only the mock server, backups and tests may use. */
export type SqliteDb = Db & {
  /** The writing connection. */
  raw: Connection
  /** The reading connection; the same as `raw` in memory. */
  rawRead: Connection
}

/** `busyTimeout`: how long to wait for another program's lock, in milliseconds. */
export type OpenOptions = { synchronous?: 'NORMAL' | 'FULL'; busyTimeout?: number }

export const MIGRATIONS = path.resolve('db/migrations')

/** Opens a file or the bytes of a snapshot. Throws one readable sentence when it is damaged, locked or not writable. */
export function openSqlite(source: string | Buffer, options: OpenOptions = {}): SqliteDb {
  const isFile = typeof source === 'string' && source !== ':memory:'
  try {
    const raw = prepare(connect(source), options)
    if (!isFile) return createDb(raw, raw)
    const rawRead = prepare(connect(source), options)
    rawRead.pragma('query_only = ON')
    return createDb(raw, rawRead)
  } catch (error) {
    throw isFile ? explain(error, source) : error
  }
}

/** Brings a database to the newest schema; forward only, each migration in a transaction of its own. */
export function migrate(db: Pick<SqliteDb, 'raw'>, migrationsFolder = MIGRATIONS) {
  db.raw.pragma('foreign_keys = OFF')
  try {
    runMigrations(drizzle(db.raw, { casing: 'snake_case' }), { migrationsFolder })
  } finally {
    db.raw.pragma('foreign_keys = ON')
  }
}

function prepare(connection: Connection, { synchronous = 'NORMAL', busyTimeout = 5000 }: OpenOptions) {
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma('wal_autocheckpoint = 16384')
  connection.prepare('select count(*) from sqlite_schema').get() // reads the file, so that damage shows here and not at the first request
  return connection
}

function createDb(raw: Connection, rawRead: Connection): SqliteDb {
  const writer = drizzle(raw, { schema: tables, casing: 'snake_case' })
  const queue = createWriteQueue(raw)
  const changes = createDeviceChanges(() => queue.isOpen())
  const isShared = rawRead === raw
  const read = isShared ? committedReader(raw, queue.readCommitted) : drizzle(rawRead, { schema: tables, casing: 'snake_case' })
  const changedRows = raw.prepare('select total_changes()').pluck()
  return {
    read,
    raw,
    rawRead,
    changes,
    positions: sqlitePositions(raw, rawRead, isShared ? queue.readCommitted : async (read) => read()),
    write(work, touched) {
      let rowsBefore: unknown
      const run = () => {
        rowsBefore = changedRows.get()
        return work(writer)
      }
      return queue.run(run, (isCommitted) => {
        if (!isCommitted) return
        if (touched) changes.mark(touched)
        else if (changedRows.get() !== rowsBefore) changes.markAll()
      })
    },
    async isReady() {
      const [row] = await read
        .select({ n: sql<number>`count(*)` })
        .from(sql`__drizzle_migrations`)
        .where(sql`exists (select 1 from users) or true`)
      return row?.n === migrationsKnown()
    },
    async close() {
      if (!isShared) rawRead.close()
      raw.close()
    },
  }
}

let known: number | undefined
/** Those of this release, read once. */
const migrationsKnown = () => (known ??= readMigrationFiles({ migrationsFolder: MIGRATIONS }).length)

/** Runs the transactions of a connection one after the other. */
function createWriteQueue(raw: Connection) {
  let last: Promise<unknown> = Promise.resolve()
  let open: { ended: Promise<void>; end: () => void } | null = null

  let waitingReads = 0

  async function transact<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void) {
    // Reads that waited for the transaction before resume first; they need a few ticks, so that a long queue does not starve them.
    for (let tick = 0; waitingReads > 0 && tick < MAX_TICKS; tick++) await null
    raw.exec('BEGIN IMMEDIATE')
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
      onEnd(isCommitted)
      end()
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
    /** `onEnd` runs right after the commit or the rollback, before the next transaction begins. */
    run<T>(work: () => Promise<T>, onEnd: (isCommitted: boolean) => void): Promise<T> {
      const result = last.then(() => transact(work, onEnd))
      last = result.catch(() => undefined)
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

const MAX_TICKS = 20
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
