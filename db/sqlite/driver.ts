import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

/**
 * better-sqlite3 12 (compiled) is the last line for Node 20 and aborts at random on Node 24; 13 (N-API, prebuilt) needs Node 22. The package
 * depends on 13 alone, so that nothing is compiled on Node 22 and later; Node 20 is asked to install 12 (decision 111).
 */
const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

export type Connection = BetterSqlite3.Database

/** Runs a read when no transaction is open. */
export type ReadCommitted = <T>(read: () => T) => Promise<T>

/** Opens a file, `:memory:` or the bytes of a snapshot. Throws with the remedy when the driver does not load. */
export function connect(source: string | Buffer, options?: BetterSqlite3.Options): Connection {
  return new (driver())(source, options)
}

function driver() {
  try {
    return createRequire(import.meta.url)(name) as typeof BetterSqlite3
  } catch (cause) {
    throw new Error(describeFailure(name, cause), { cause })
  }
}

const COMPILER = 'Where no ready-made binary can be downloaded, this compiles it: a minute or two with python3, make and g++.'

/** Returns the remedy for a driver that does not load. */
export function describeFailure(driver: string, cause: unknown, node = process.version) {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND'
  if (driver !== 'better-sqlite3')
    return `The SQLite driver ${driver} does not load on Node ${node}. Delete node_modules and install again with this Node; npm must be allowed to install optional packages.`
  return isMissing
    ? `Node ${node} needs one more package for SQLite, which Node 22 and later do not: run "npm install better-sqlite3@12". ${COMPILER}`
    : `The SQLite driver ${driver} does not load on Node ${node}. Run "npm rebuild ${driver}" with this Node. ${COMPILER}`
}
