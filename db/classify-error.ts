/**
 * `unavailable`: busy, full, read-only or damaged; retrying later may work. `constraint`: the database refused a value. `text`: it cannot
 * store the character U+0000.
 */
export type DbErrorKind = 'unavailable' | 'constraint' | 'text'

/** The database cannot be reached, as the driver or the network says. Errors of other sockets have the same codes, so these are named. */
class LostDatabase extends Error {
  readonly code: string | undefined
  constructor(cause: Error & { code?: string }) {
    super(`The database cannot be reached: ${cause.message}`, { cause })
    this.code = cause.code
  }
}

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
  [/^22(021|P05)/, 'text'],
  [/^2[23]/, 'constraint'],
]
const NETWORK = /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NOTFOUND|AI_AGAIN)|ENETDOWN)$/
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/** Returns what kind of database failure an error is; undefined for all others. Looks through the error of the query builder at its cause. */
export function classifyDbError(error: unknown): DbErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof LostDatabase) return 'unavailable'
  const code = 'code' in error ? String(error.code) : ''
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0]
  if (primary) return KINDS[primary]
  if (isSqlState(code)) return POSTGRES_KINDS.find(([prefix]) => prefix.test(code))?.[1]
  return LOST_CONNECTION.test(error.message) ? 'unavailable' : classifyDbError(error.cause)
}

/** Names an error of the driver's connection; returns any other as it is. */
export const nameLostDatabase = (error: unknown) =>
  error instanceof Error && ('code' in error ? NETWORK.test(String(error.code)) : LOST_CONNECTION.test(error.message))
    ? new LostDatabase(error)
    : error

const isSqlState = (code: string) => /^[\dA-Z]{5}$/.test(code) && /\d/.test(code)
