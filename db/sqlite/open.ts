import path from 'node:path'
import { sql } from 'drizzle-orm'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as runMigrations } from 'drizzle-orm/better-sqlite3/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { tables } from '#db/schema/tables.ts'
import { type Connection, connect } from './driver.ts'
import { explain } from './problems.ts'

type Drizzle = BetterSQLite3Database<typeof tables>

/** Queries only; what it reads is committed. */
export type Reader = Pick<Drizzle, 'select' | 'selectDistinct' | '$count' | 'query'>
/** Inside a transaction: all of it is kept, or none. */
export type Tx = Reader & Pick<Drizzle, 'insert' | 'update' | 'delete'>

export type Db = {
  read: Reader
  /** Runs one transaction at a time. No outside I/O inside: it would hold up every other writer. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The writing connection, for the positions store and for snapshots. */
  raw: Connection
  /** The reading connection; the same as `raw` in memory. */
  rawRead: Connection
  /** False when a migration of this release has not run. Throws when the file is gone or damaged. */
  isReady(): boolean
  close(): void
}

/** `busyTimeout`: how long to wait for another program's lock, in milliseconds. */
export type OpenOptions = { synchronous?: 'NORMAL' | 'FULL'; busyTimeout?: number }

export const MIGRATIONS = path.resolve('db/migrations')

/** Opens a file or the bytes of a snapshot. Throws one readable sentence when it is damaged, locked or not writable. */
export function openDb(source: string | Buffer, options: OpenOptions = {}): Db {
  const isFile = typeof source === 'string' && source !== ':memory:'
  try {
    const raw = prepare(connect(source), options)
    const rawRead = isFile ? prepare(connect(source), options) : raw
    if (isFile) rawRead.pragma('query_only = ON')
    return database(raw, rawRead)
  } catch (error) {
    throw isFile ? explain(error, source) : error
  }
}

/** Brings a database to the newest schema; forward only, each migration in a transaction of its own. */
export function migrate(db: Db, migrationsFolder = MIGRATIONS) {
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
  connection.prepare('select count(*) from sqlite_schema').get() // a damaged file shows here, not at the first visitor
  return connection
}

function database(raw: Connection, rawRead: Connection): Db {
  const writer = drizzle(raw, { schema: tables, casing: 'snake_case' })
  const reader = rawRead === raw ? writer : drizzle(rawRead, { schema: tables, casing: 'snake_case' })
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: reader,
    raw,
    rawRead,
    write(work) {
      const turn = last.then(() => transact(raw, () => work(writer)))
      last = turn.catch(() => undefined)
      return turn
    },
    isReady: () =>
      reader.get<{ n: number }>(sql`select count(*) as n from __drizzle_migrations where exists (select 1 from users) or true`).n ===
      migrationsKnown(),
    close() {
      if (rawRead !== raw) rawRead.close()
      raw.close()
    },
  }
}

let known: number | undefined
/** Those of this release, read once. */
const migrationsKnown = () => (known ??= readMigrationFiles({ migrationsFolder: MIGRATIONS }).length)

async function transact<T>(raw: Connection, work: () => Promise<T>) {
  raw.exec('BEGIN IMMEDIATE')
  try {
    const result = await work()
    raw.exec('COMMIT')
    return result
  } catch (error) {
    if (raw.inTransaction) raw.exec('ROLLBACK')
    throw error
  }
}
