import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { DeviceChanges } from '#db/device-changes.ts'
import type { HistoryReader, PositionStore } from '#db/positions.ts'
import type { tables } from '#db/schema/tables.ts'

/** The types of SQLite are used for both engines. A write has no result of its own (the drivers differ in it): use `returning()`. */
type Drizzle = BaseSQLiteDatabase<'async', void, typeof tables>

/** Queries only; they see committed rows. */
export type DbReader = Pick<Drizzle, 'select' | 'selectDistinct' | '$count' | 'query'>
/** Queries and changes inside one transaction, which commits as a whole or not at all. */
export type Tx = DbReader & Pick<Drizzle, 'insert' | 'update' | 'delete' | 'with' | '$with'>

/** The object of a lock: an account with everything that belongs to it, or anything else by a name. */
export type LockKey = `account:${number}` | `${string}:${string}`

/**
 * The locks of a transaction. Transactions with a key in common run one after the other, in all processes. `everything` runs alone, for
 * rules that span accounts. An empty list is for a transaction whose statements are atomic by themselves, such as a conditional update.
 * SQLite has one writer, so there every transaction runs alone.
 */
export type Lock = 'everything' | readonly LockKey[]

/** A change of a tracker as its streams get it; `data` is JSON. */
export type LiveEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** The live log of a database that several servers share, and the notices between them. */
export type SharedLog = {
  /** Sends short texts to all servers, including this one. Call after the commit. */
  send(texts: readonly string[]): Promise<void>
  /**
   * Subscribes to notices. They may be lost, so they only make a server look sooner; `onGap` is called when listening begins, and when some
   * may have been lost.
   */
  listen(hear: (text: string) => void, onGap: () => void): () => void
  /** Committed events of accounts after the id given for each, oldest first within an account. */
  listEvents(after: ReadonlyMap<number, number>, limit: number): Promise<LiveEvent[]>
  /** The newest event of an account, or of all accounts when null; 0 without any. */
  findNewest(accountId: number | null): Promise<number>
  /** Removes events up to an instant, and the excess events of busy accounts. */
  prune(until: Date): Promise<void>
}

/**
 * Finds the keys of a transaction that knows only part of them, such as a tracker but not its account. It reads before the transaction and
 * again under the lock; if it then finds another key, the transaction begins again. Not called with a single writer.
 */
export type LockFinder = (db: DbReader) => Promise<readonly LockKey[]>

/**
 * Locks known beforehand, and what the transaction reads under them: one round trip to a database server. `first` changes nothing, and ends
 * before the work begins. With `patienceMs` the transaction fails if it waits longer for a lock (`isLockTimeout`), and its caller tries
 * again; a database with a single writer ignores it.
 */
export type FirstRead = { keys: readonly LockKey[]; patienceMs?: number; first(tx: Tx): Promise<void> }

/** A transaction that stores the result of exclusive work calls this first: it throws when another process has taken over. */
export type Fence = (tx: Tx) => Promise<void>

/** The database as product code sees it; nothing in it depends on the engine. */
export type Db = {
  read: DbReader
  /**
   * Runs a transaction under a lock. No outside I/O inside: it would hold up other writers. Inside `work`, read through `tx`; `work` may
   * run again after a deadlock, so it has no effect outside the database.
   */
  write<T>(lock: Lock | LockFinder | FirstRead, work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for history, files and imports, which together get at most half of the connections. Only for the outermost transaction, which
   * never waits for itself.
   */
  long: Pick<Db, 'read' | 'write'>
  /**
   * Runs work that takes too long for a transaction, such as calls to another server, in one process at a time per key. Another process
   * takes over when the owner was killed or hangs.
   */
  lease<T>(key: string, work: (fence: Fence) => Promise<T>): Promise<T>
  /** Whether other processes use the database as well. */
  isShared: boolean
  changes: DeviceChanges
  /**
   * Subscribes to the live events of this process's transactions, each right after its commit and in the order of the commits. Returns the
   * unsubscribe function.
   */
  onEvent(hear: (event: LiveEvent) => void): () => void
  positions: PositionStore
  /** A reader for one request, created after the request is authorized. */
  history(): HistoryReader
  /**
   * A number that differs after every change of the rows that a tracker's alerts are built from. Null if it is not known: of a database that
   * other processes change as well, and in the first transaction.
   */
  watchVersion(device: { id: number; accountId: number }): number | null
  /** Undefined if a single server uses the database. */
  log?: SharedLog
  /** False when a migration of this release has not run. Rejects when the database is unreachable or damaged. */
  isReady(): Promise<boolean>
  /** Number of transactions since the start. */
  transactions: TransactionCounts
  /** Metrics of its connections; undefined for an engine inside this process. */
  stats?(): ConnectionStats
  /** The time of the database server; undefined if it has the clock of this process. */
  readClock?(): Promise<Date>
  /** Daily maintenance of the engine. */
  maintain?(now: Date): Promise<void>
  /** Names the database server of each tracker's positions. Undefined if one server has all. */
  findWorkers?(deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>>
  /**
   * Packs at most `most` positions of months that ended by an instant, while `goesOn` returns true. Returns how many. Undefined for SQLite,
   * whose rows are small.
   */
  packPositions?(packing: Packing): Promise<number>
  /**
   * Makes rows of all packed positions, while no server packs; rejects if one does. Calls `onProgress` after each transaction with how many
   * positions were unpacked and how many were packed at the start.
   */
  unpackPositions?(onProgress: (unpacked: number, total: number) => unknown): Promise<void>
  /**
   * Removes the rows of months whose positions no tracker needs any more, a whole month at a time, and what was computed from them. Returns
   * how many months. Undefined for SQLite, which has no partitions.
   */
  removeMonths?(removal: MonthRemoval): Promise<number>
  close(): Promise<void>
}

/** `listNeeding` returns those of some trackers whose owners still want positions of before an instant. */
export type MonthRemoval = {
  endedBy: Date
  listNeeding: (db: DbReader, deviceIds: readonly number[], before: Date) => Promise<number[]>
}

export type Packing = { endedBy: Date; goesOn: () => boolean; most?: number }

/** `retried` after a conflict; `failed` because the database was busy, locked, full or unreachable, or after too many conflicts. */
export type TransactionCounts = { committed: number; retried: number; failed: number }

/** Open connections, and requests `waiting` for one. `noticeAge`: seconds since any server announced a live event. */
export type ConnectionStats = {
  total: number
  idle: number
  waiting: number
  noticeAge: number | null
  replicas?: ReplicaStats
}

/** `ok`: used; `behind`: lags more than allowed; `failed`: it does not respond, or is no replica of the database. */
export type ReplicaState = 'ok' | 'behind' | 'failed'
export type ReplicaChange = { name: string; state: ReplicaState; reason?: string }

/**
 * `lag` in seconds, null while unknown. `reads`: reads by a replica, or by the primary because no replica was close enough, because none
 * responded, or because a change of the tracker had not arrived.
 */
export type ReplicaStats = {
  each: { name: string; state: ReplicaState; lag: number | null }[]
  reads: Record<'replica' | 'behind' | 'failed' | 'missing', number>
}
