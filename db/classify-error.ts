/**
 * `unavailable`: busy, full, read-only or damaged; retrying later may work. `constraint`: the database rejected a value. `text`: it cannot
 * store the character U+0000.
 */
export type DbErrorKind = 'unavailable' | 'constraint' | 'text'

/**
 * Errors of an unreachable database, as the driver or the network names them. Errors of other sockets have the same codes, so database
 * errors are named.
 */
class LostDatabase extends Error {
  readonly code: string | undefined
  constructor(cause: Error & { code?: string }) {
    super(`The database cannot be reached: ${cause.message}`, { cause })
    this.code = cause.code
  }
}

/** The work never began, so nothing has changed. */
export class BusyDatabase extends Error {
  constructor() {
    super('Too much work of the same kind waits for the database.')
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
/** How Citus reports that a worker was lost during a transaction: as an internal error, whose text alone tells. */
const LOST_WORKER = /\bconnection\b|could not (commit transaction|send data|receive data)/i
const NETWORK = /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NOTFOUND|AI_AGAIN)|ENETDOWN)$/
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout)/

/** Returns what kind of database failure an error is; undefined for all others. Looks through the error of the query builder at its cause. */
export function classifyDbError(error: unknown): DbErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof LostDatabase || error instanceof BusyDatabase) return 'unavailable'
  const code = 'code' in error ? String(error.code) : ''
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0]
  if (primary) return KINDS[primary]
  if (code === 'XX000' && LOST_WORKER.test(error.message)) return 'unavailable'
  if (isSqlState(code)) return POSTGRES_KINDS.find(([prefix]) => prefix.test(code))?.[1]
  return LOST_CONNECTION.test(error.message) ? 'unavailable' : classifyDbError(error.cause)
}

/** Whether a transaction has waited for a lock for as long as it may. It has changed nothing. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isLockTimeout(error.cause))

/** Names an error of the driver's connection; returns any other as it is. */
export const nameLostDatabase = (error: unknown) =>
  error instanceof Error && ('code' in error ? NETWORK.test(String(error.code)) : LOST_CONNECTION.test(error.message))
    ? new LostDatabase(error)
    : error

const isSqlState = (code: string) => /^[\dA-Z]{5}$/.test(code) && /\d/.test(code)

/** Codes of SQLite and of PostgreSQL that tell an operator what to fix. */
const FAULTS: [code: RegExp, sentence: string][] = [
  [/^(SQLITE_FULL|53100)/, 'The disk of the database is full.'],
  [/^(25006|SQLITE_READONLY)/, 'The database accepts no changes: it is a standby, or may only be read.'],
  [/^SQLITE_(BUSY|LOCKED)/, 'Another program has locked the database.'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'The file of the database is damaged.'],
  [/^SQLITE_IOERR/, 'The disk of the database returns errors.'],
  [/^53300/, 'The database has no connection left for this server.'],
  [/^28/, 'The database refuses the user or the password of this server.'],
  [/^3D000/, 'The database does not exist.'],
  [/^(42P01|SQLITE_ERROR)/, 'Tables of this release are missing in the database.'],
  [/^57P/, 'The database is starting or stopping.'],
]

/** Describes a failure of the database in a sentence without a host, a user or a value. */
export function explainDbFault(error: unknown): string {
  if (error instanceof LostDatabase) return 'The database cannot be reached.'
  if (!(error instanceof Error)) return 'The database fails.'
  const code = 'code' in error ? String(error.code) : ''
  const sentence = FAULTS.find(([known]) => known.test(code))?.[1]
  if (sentence) return sentence
  return LOST_CONNECTION.test(error.message) ? 'The database cannot be reached.' : explainDbFault(error.cause)
}
