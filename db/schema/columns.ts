import { blob, integer, text } from 'drizzle-orm/sqlite-core'

/** Of any table, for those who handle rows of every kind alike. */
export { type Column, getTableColumns as columnsOf } from 'drizzle-orm'
export type { SQLiteTable as Table } from 'drizzle-orm/sqlite-core'

/** The column kit: every table is built from these, so that another database is another kit and not other tables. */
export { index, primaryKey, sqliteTable as table, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** A key that is never given twice, not even after the newest row was removed: old links, sessions and counts may still name it. */
export const pk = () => integer().primaryKey({ autoIncrement: true })
export const int = () => integer()
export const bool = () => integer({ mode: 'boolean' })
/** An instant, stored as milliseconds since 1970. */
export const instant = () => integer({ mode: 'timestamp_ms' })
/** Text; the type parameter narrows it to a closed list of the contract. */
export const str = <T extends string = string>() => text().$type<T>()
/** A small value stored as JSON text. */
export const json = <T>() => text({ mode: 'json' }).$type<T>()
export const bytes = () => blob({ mode: 'buffer' })
