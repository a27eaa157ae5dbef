import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { ChangedDevice, DeviceChanges } from '#db/device-changes.ts'
import type { HistoryReader, PositionStore } from '#db/positions.ts'
import type { tables } from '#db/schema/tables.ts'

/** SQLite's types stand for both engines. A write has no result of its own (the drivers differ in it): use `returning()`. */
type Drizzle = BaseSQLiteDatabase<'async', void, typeof tables>

/** Queries only; they see committed rows. */
export type DbReader = Pick<Drizzle, 'select' | 'selectDistinct' | '$count' | 'query'>
/** Queries and changes inside one transaction, which commits as a whole or not at all. */
export type Tx = DbReader & Pick<Drizzle, 'insert' | 'update' | 'delete'>

/** What a lock is on: an account with all that belongs to it, or anything else by a name. */
export type LockKey = `account:${number}` | `${string}:${string}`

/**
 * What a transaction needs for itself. Transactions with a key in common run one after the other, in all processes. `everything` runs
 * alone, for rules that span accounts. An empty list is for a transaction whose statements each decide by themselves, such as a conditional
 * update. SQLite has one writer, so there every transaction runs alone.
 */
export type Lock = 'everything' | readonly LockKey[]

export type LoggedEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** The live log of a database that several servers share, and the notices between them. */
export type SharedLog = {
  /** Sends short texts to all servers, this one included. Call after the commit. */
  send(texts: readonly string[]): Promise<void>
  /**
   * Subscribes to notices. They only make a server look sooner, because they may be lost; `onGap` is called when listening begins, and when
   * some may have been lost.
   */
  listen(hear: (text: string) => void, onGap: () => void): () => void
  /** Committed events of accounts after the one named for each, oldest first within an account. */
  listEvents(after: ReadonlyMap<number, number>, limit: number): Promise<LoggedEvent[]>
  /** The newest event of an account, or of all accounts when null; 0 without any. */
  findNewest(accountId: number | null): Promise<number>
  /** Removes events until an instant, and those that busy accounts have too many. */
  prune(until: Date): Promise<void>
}

/**
 * Finds the keys of a transaction that knows only part of them, such as a tracker and not its account. It reads before the transaction and
 * again under the lock; when it then finds another key, the transaction begins again. Not called where there is one writer.
 */
export type LockFinder = (db: DbReader) => Promise<readonly LockKey[]>

/** Called first in the transaction that stores the result of exclusive work: throws when another process has taken over. */
export type Fence = (tx: Tx) => Promise<void>

/** The database as product code sees it; nothing in it depends on the engine. */
export type Db = {
  read: DbReader
  /**
   * Runs a transaction under a lock. No outside I/O inside: it would hold up other writers. Inside `work`, read through `tx`; `work` may
   * run again after a deadlock, so it changes nothing but the database. A caller that fills `touched` with the trackers whose response changes
   * leaves all others current in `changes`.
   */
  write<T>(lock: Lock | LockFinder, work: (tx: Tx) => Promise<T>, touched?: ChangedDevice[]): Promise<T>
  /**
   * The same for history, files and imports, which together have half of the connections at most. Only the outermost transaction: it never
   * waits for itself.
   */
  long: Pick<Db, 'read' | 'write'>
  /**
   * Runs work for which a transaction takes too long, such as calls to another server, in one process at a time by its key. Another process
   * takes over from one that was killed or stands still.
   */
  lease<T>(key: string, work: (fence: Fence) => Promise<T>): Promise<T>
  /** Whether other processes use the database too. */
  isShared: boolean
  changes: DeviceChanges
  positions: PositionStore
  /** A reader for one request, made once the request is authorized. */
  history(): HistoryReader
  /** Undefined where one server alone uses the database. */
  log?: SharedLog
  /** False when a migration of this release has not run. Rejects when the database is gone or damaged. */
  isReady(): Promise<boolean>
  /** Transactions since the start. */
  transactions: TransactionCounts
  /** What its connections do; an engine inside this process has none. */
  stats?(): ConnectionStats
  /** The time at the database; undefined where it has the clock of this process. */
  readClock?(): Promise<Date>
  /** Does what the engine needs once a day. */
  maintain?(now: Date): Promise<void>
  close(): Promise<void>
}

/** `retried` after a conflict; `failed` because the database was busy, locked, full or gone, or after too many conflicts. */
export type TransactionCounts = { committed: number; retried: number; failed: number }

/**
 * Connections now, and requests that are `waiting` for one now. `noticeAge`: seconds since another server, or this one, announced a live event.
 */
export type ConnectionStats = {
  total: number
  idle: number
  waiting: number
  noticeAge: number | null
  replicas?: ReplicaStats
}

/** `ok`: used; `behind`: by more than is allowed; `failed`: it does not answer, or is no replica of the database. */
export type ReplicaState = 'ok' | 'behind' | 'failed'
export type ReplicaChange = { name: string; state: ReplicaState; reason?: string }

/**
 * `lag` in seconds, null while it is unknown. `reads`: answered by a replica, or else by the primary, because no replica was near enough,
 * because none answered, or because a change of the tracker had not arrived.
 */
export type ReplicaStats = {
  each: { name: string; state: ReplicaState; lag: number | null }[]
  reads: Record<'replica' | 'behind' | 'failed' | 'missing', number>
}
