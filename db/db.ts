import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { ChangedDevice, DeviceChanges } from '#db/device-changes.ts'
import type { PositionStore } from '#db/positions.ts'
import type { tables } from '#db/schema/tables.ts'

type Drizzle = BetterSQLite3Database<typeof tables>

/** Queries only; they see committed rows. */
export type DbReader = Pick<Drizzle, 'select' | 'selectDistinct' | '$count' | 'query'>
/** Queries and changes inside one transaction, which commits as a whole or not at all. */
export type Tx = DbReader & Pick<Drizzle, 'insert' | 'update' | 'delete'>

/** The database as product code sees it; nothing in it depends on the engine. */
export type Db = {
  read: DbReader
  /**
   * Runs one transaction at a time. No outside I/O inside: it would hold up every other writer. Inside `work`, read through `tx`.
   * A caller that fills `touched` with the trackers whose response changes leaves all others current in `changes`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, touched?: ChangedDevice[]): Promise<T>
  changes: DeviceChanges
  positions: PositionStore
  /** False when a migration of this release has not run. Rejects when the database is gone or damaged. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}
