import { sql } from 'drizzle-orm'
import { bigint, boolean, customType, type PgTable } from 'drizzle-orm/pg-core'

export { index, pgTable as table, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'

/** "By default" and not "always": a move from SQLite inserts ids of its own, and sets the sequence afterwards. */
export const pk = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity()
/** 64 bits: a parameter beyond the type of its column is an error, and seconds and milliseconds exceed 2^31. */
export const int = () => bigint({ mode: 'number' })
export const bool = () => boolean()
/** Milliseconds, so that arithmetic, cursors and checksums are the same on both engines. */
export const instant = customType<{ data: Date; driverData: number }>({
  dataType: () => 'bigint',
  toDriver: (date) => date.getTime(),
  fromDriver: (milliseconds) => new Date(Number(milliseconds)),
})
/** Sorts by bytes like SQLite; the locale of a database might sort "a" before "B". */
export const str = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
/** `json` and not `jsonb`, which reorders keys. The driver parses it, so there is no `fromDriver` that would do so again. */
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  toDriver: (value) => JSON.stringify(value),
})
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

type Lockable = { for(strength: 'update', options: { skipLocked: true }): unknown }
export const skipLocked = (query: Lockable) => query.for('update', { skipLocked: true })
export const hasOneWriter: boolean = false

/** The transaction that wrote the row. */
export const rowVersion = (table: PgTable) => sql<number | null>`${table}.xmin`
