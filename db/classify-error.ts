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

/** Classes of SQLSTATE. */
const POSTGRES_KINDS: [prefix: RegExp, kind: DbErrorKind][] = [
  [/^(08|25006|53|55P03|57|58|40|25P03)/, 'unavailable'],
  [/^2[23]/, 'constraint'],
]
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/** Returns what kind of database failure an error is; undefined for all others. Looks through the error of the query builder at its cause. */
export function classifyDbError(error: unknown): DbErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0]
  if (primary) return KINDS[primary]
  if (isSqlState(code)) return POSTGRES_KINDS.find(([prefix]) => prefix.test(code))?.[1]
  return LOST_CONNECTION.test(error.message) ? 'unavailable' : classifyDbError(error.cause)
}

const isSqlState = (code: string) => /^[\dA-Z]{5}$/.test(code) && /\d/.test(code)
