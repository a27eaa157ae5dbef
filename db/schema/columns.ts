import { getTableName, type Table } from 'drizzle-orm'
import { readEngine } from './engine.ts'
import * as postgres from './postgres-columns.ts'
import * as sqlite from './sqlite-columns.ts'

/** Any column, for code that handles rows of every kind in the same way. */
export { type Column, getTableColumns as columnsOf } from 'drizzle-orm'
/** A query that can be extended, and any table. */
export type { SQLiteSelect as Select, SQLiteTable as Table } from 'drizzle-orm/sqlite-core'

/**
 * The column builders of the engine that this process uses: every table is built from them. The types are SQLite's for both engines, since
 * each helper has the same name, the same methods and the same JavaScript value.
 */
const kit = (readEngine() === 'postgres' ? postgres : sqlite) as unknown as typeof sqlite

export const { index, primaryKey, table, uniqueIndex } = kit
/** A key that is never reused, not even after the newest row was removed: old links, sessions and counts may still refer to it. */
export const pk = kit.pk
export const int = kit.int
export const bool = kit.bool
/** An instant, stored as milliseconds since 1970. */
export const instant = kit.instant
/** Text; the type parameter narrows it to a closed list of the contract. */
export const str = kit.str
/** A small value stored as JSON text. */
export const json = kit.json
export const bytes = kit.bytes
/** Whether transactions run one at a time, so that ids are in the order of their commits. */
export const hasOneWriter = kit.hasOneWriter
/**
 * An expression that differs after each change of a row of the table; null if one process makes and counts all changes
 * (db/device-changes.ts).
 */
export const rowVersion = kit.rowVersion
/** Makes a query lock the rows that it selects, and skip rows that another transaction has locked. */
export const skipLocked = kit.skipLocked

/** The column by which tables are distributed over several database servers (docs/scaling.md). */
export const TRACKER_COLUMN = 'device_id'

const distributed: string[] = []

/**
 * Declares that the rows of a table can be on the same database server as the positions of their tracker. A statement about such a table
 * names one tracker and reads no other table. All other tables stay on the first server.
 */
export function byTracker<T>(table: T): T {
  distributed.push(getTableName(table as Table))
  return table
}

/** Tables that grow with positions. The first decides where the rows of a tracker are. Complete once the tables are loaded. */
export const listDistributed = (): readonly string[] => distributed
