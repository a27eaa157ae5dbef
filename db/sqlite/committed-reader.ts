import { type AsyncRemoteCallback, drizzle } from 'drizzle-orm/sqlite-proxy'
import { LRUCache } from 'lru-cache'
import type { DbReader } from '#db/db.ts'
import { tables } from '#db/schema/tables.ts'
import type { Connection, ReadCommitted } from './driver.ts'

/** Preparing a statement takes longer than running it. Small, because the mock server holds hundreds of databases in memory. */
const MAX_STATEMENTS = 96
type Statement = ReturnType<Connection['prepare']>

/**
 * A reader for a database in memory, where reader and writer share one connection. Each query waits until no transaction is open, so that
 * it sees what the second connection of a file sees: committed rows only.
 */
export function committedReader(raw: Connection, readCommitted: ReadCommitted): DbReader {
  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS })
  const query: AsyncRemoteCallback = (sql, params, method) =>
    readCommitted(() => {
      const statement = statements.get(sql) ?? raw.prepare(sql).raw()
      statements.set(sql, statement)
      return { rows: (method === 'get' ? statement.get(...params) : statement.all(...params)) as unknown[] }
    })
  // With two arguments the driver ignores `casing`.
  const reader = drizzle(query, noBatch, { schema: tables, casing: 'snake_case' })
  return reader as unknown as DbReader // they accept the same queries; both are awaited everywhere
}

const noBatch = () => Promise.reject(new Error('A reader runs single queries.'))
