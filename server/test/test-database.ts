import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Db } from '#db/db.ts'
import type { PostgresDb } from '#db/postgres/open.ts'
import { readEngine } from '#db/schema/engine.ts'
import { openEmpty } from '#db/sqlite/empty.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { saveRows } from '#server/test/postgres/restore-seed.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'

/** Opens a database for one test, on the engine of the run: with the seeded rows, or with none. */
export async function openTestDb(template: 'family' | 'empty'): Promise<SqliteDb> {
  if (readEngine() === 'postgres') return (await openTestDatabase(template)) as unknown as SqliteDb
  return template === 'family' ? openSqlite(await readFile(templateFile())) : openEmpty()
}

/**
 * Opens a seeded database that other processes use at the same time: the server by `env`, a `test-entry-*` by `address`, which is a file or
 * an address of PostgreSQL.
 */
export async function openStored() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-stored-'))
  const file = path.join(folder, 'whereabouts.db')
  await copyFile(templateFile(), file)
  const db = readEngine() === 'postgres' ? await openTestDb('family') : openSqlite(file)
  const address = isPostgres(db) ? db.connections.pool.options.connectionString! : file
  return {
    db,
    address,
    env: address === file ? { DATA_DIR: folder } : { DATABASE_URL: address },
    async [Symbol.asyncDispose]() {
      await db.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const isPostgres = (db: Db): db is PostgresDb => 'connections' in db
const sqliteOf = (db: Db) => db as SqliteDb

/** Returns the rows of a query that both engines support. */
export async function queryRows<Row = Record<string, unknown>>(db: Db, sql: string): Promise<Row[]> {
  return isPostgres(db) ? (await db.connections.pool.query(sql)).rows : (sqliteOf(db).rawRead.prepare(sql).all() as Row[])
}

/** Returns the first value of the first row. */
export const queryValue = async (db: Db, sql: string) => Object.values((await queryRows(db, sql))[0] ?? {})[0]

type Column = { table: string; column: string; type: string }

/**
 * Saves the current state of a database. Returns a function that opens that state: a copy for SQLite, the same database for PostgreSQL,
 * which then loses later changes.
 */
export async function saveState(db: Db): Promise<() => Promise<SqliteDb>> {
  if (isPostgres(db)) {
    const restore = await saveRows(db.connections.pool)
    return async () => {
      await restore()
      return { ...db, close: async () => {} } as unknown as SqliteDb
    }
  }
  const bytes = sqliteOf(db).raw.serialize()
  return async () => openSqlite(bytes)
}

/** Lists the columns of all tables. */
export const listColumns = (db: Db) =>
  queryRows<Column>(
    db,
    isPostgres(db)
      ? `select columns.table_name as "table", column_name as "column", data_type as type from information_schema.columns
         join pg_class on pg_class.oid = columns.table_name::regclass
         where table_schema = 'public' and relkind in ('r', 'p') and not relispartition`
      : `select tables.name as "table", columns.name as "column", columns.type from sqlite_schema as tables, pragma_table_info(tables.name) as columns
         where tables.type = 'table'`,
  )

/** Lists rows that refer to a row that does not exist; PostgreSQL never allows one. */
export const findOrphans = (db: Db) => (isPostgres(db) ? [] : sqliteOf(db).rawRead.pragma('foreign_key_check'))

/** Returns a text that changes with every change of the database, except of leases, which a call acquires before it is authorized. */
export async function readVersion(db: Db) {
  if (isPostgres(db)) return String(await queryValue(db, "select max(id) from seed.changes where name <> 'leases'"))
  return createHash('sha1').update(sqliteOf(db).raw.serialize()).digest('hex')
}

/** Returns everything stored in the database, as one text. */
export async function readStored(db: Db) {
  if (!isPostgres(db)) return sqliteOf(db).raw.serialize().toString('latin1')
  const tables = new Set((await listColumns(db)).map(({ table }) => table))
  const texts = await Promise.all([...tables].map((table) => queryValue(db, `select string_agg(t::text, ' ') from "${table}" t`)))
  return texts.join('\n')
}

type Query = { toSQL(): { sql: string; params: unknown[] } }

/** The query with its parameters inside, as both engines can explain it. */
function writeOut(query: Query) {
  const { sql, params } = query.toSQL()
  const literal = (at: number) => (typeof params[at] === 'number' ? String(params[at]) : `'${String(params[at])}'`)
  let used = 0
  return sql.replace(/\$(\d+)|\?/g, (_, number?: string) => literal(number === undefined ? used++ : Number(number) - 1))
}

/** A small table is read whole and sorted sooner than by an index: with these off, PostgreSQL does so only where no index serves. */
const AVOIDED = ['enable_seqscan', 'enable_sort', 'enable_incremental_sort']

/**
 * The plan of each query: the indexes that the engine reads, and whether it reads a whole table or sorts. PostgreSQL plans by what it has
 * counted, so tables are counted first.
 */
export async function explainQueries(db: Db, queries: Query[]) {
  const hasPostgres = readEngine() === 'postgres'
  const prepare = async (statements: string[]) => {
    if (hasPostgres) for (const statement of statements) await queryRows(db, statement)
  }
  await prepare(['analyze', ...AVOIDED.map((way) => `set ${way} = off`)])
  const plans: string[] = []
  for (const query of queries) {
    const rows = await queryRows(db, `${hasPostgres ? 'explain' : 'explain query plan'} ${writeOut(query)}`)
    plans.push(rows.map((row) => Object.values(row).at(-1)).join('\n'))
  }
  await prepare(AVOIDED.map((way) => `reset ${way}`))
  return plans
}
