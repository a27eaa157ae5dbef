import { readEngine } from './engine.ts'
import * as postgres from './postgres-columns.ts'
import * as sqlite from './sqlite-columns.ts'

/** Any column, for those who handle rows of every kind alike. */
export { type Column, getTableColumns as columnsOf } from 'drizzle-orm'
/** A query that a function may add to, and any table. */
export type { SQLiteSelect as Select, SQLiteTable as Table } from 'drizzle-orm/sqlite-core'

/**
 * The column kit of the engine that this process uses: every table is built from it. The types are SQLite's for both, since each helper has
 * the same name, the same methods and the same value in JavaScript.
 */
const kit = (readEngine() === 'postgres' ? postgres : sqlite) as unknown as typeof sqlite

export const { index, primaryKey, table, uniqueIndex } = kit
/** A key that is never given twice, not even after the newest row was removed: old links, sessions and counts may still name it. */
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
/** Whether one transaction runs at a time, so that ids are in the order of their commits. */
export const hasOneWriter = kit.hasOneWriter
/**
 * An expression that differs after each change of a row of the table; null where one process makes all changes and counts them
 * (db/device-changes.ts).
 */
export const rowVersion = kit.rowVersion
/** Makes a query lock the rows that it selects, and skip those that another transaction holds. */
export const skipLocked = kit.skipLocked
