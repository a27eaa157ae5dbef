import type { SQL } from 'drizzle-orm'
import { blob, integer, type SQLiteTable, text } from 'drizzle-orm/sqlite-core'

export { index, primaryKey, sqliteTable as table, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const pk = () => integer().primaryKey({ autoIncrement: true })
export const int = () => integer()
export const bool = () => integer({ mode: 'boolean' })
export const instant = () => integer({ mode: 'timestamp_ms' })
export const str = <T extends string = string>() => text().$type<T>()
export const json = <T>() => text({ mode: 'json' }).$type<T>()
export const bytes = () => blob({ mode: 'buffer' })

/** One writer needs no lock on rows. */
export const skipLocked = <Query>(query: Query): Query => query
export const hasOneWriter: boolean = true
export const rowVersion: ((table: SQLiteTable) => SQL) | null = null
