/** `unavailable`: busy, full, read-only or damaged; retrying later may work. `constraint`: the database refused a value. */
export type DbErrorKind = 'unavailable' | 'constraint'

/** Primary result codes of SQLite; an extended code, such as `SQLITE_BUSY_SNAPSHOT`, begins with its primary one. */
const KINDS: Record<string, DbErrorKind> = {
  SQLITE_BUSY: 'unavailable',
  SQLITE_FULL: 'unavailable',
  SQLITE_READONLY: 'unavailable',
  SQLITE_IOERR: 'unavailable',
  SQLITE_CORRUPT: 'unavailable',
  SQLITE_NOTADB: 'unavailable',
  SQLITE_CONSTRAINT: 'constraint',
}

/** Returns what kind of database failure an error is; undefined for all others. Looks through the error of the query builder at its cause. */
export function classifyDbError(error: unknown): DbErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  const primary = 'code' in error ? /^SQLITE_[A-Z]+/.exec(String(error.code))?.[0] : undefined
  return primary ? KINDS[primary] : classifyDbError(error.cause)
}
