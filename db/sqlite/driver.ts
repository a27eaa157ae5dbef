import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

/**
 * better-sqlite3 12 (compiled) is the last line for Node 20 and aborts at random on Node 24; 13 (N-API, prebuilt) needs Node 22.
 * Both are optional dependencies; this picks the one that fits.
 */
const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3'

export type Connection = BetterSqlite3.Database

/** Runs a read once no transaction is open. */
export type ReadCommitted = <T>(read: () => T) => Promise<T>

/** Opens a file, `:memory:` or the bytes of a snapshot. Throws with the remedy when the driver does not load. */
export function connect(source: string | Buffer, options?: BetterSqlite3.Options): Connection {
  return new (driver())(source, options)
}

function driver() {
  try {
    return createRequire(import.meta.url)(name) as typeof BetterSqlite3
  } catch (cause) {
    throw new Error(
      `The SQLite driver ${name} does not load on Node ${process.version}. Delete node_modules and run "npm ci" with this Node; where it must compile, python3, make and g++ are needed.`,
      { cause },
    )
  }
}
