import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { tables } from '#db/schema/tables.ts'
import type { Connection } from '#db/sqlite/driver.ts'

type Column = { name: string; isKey: boolean; isIdentity: boolean; type: string }
/** A table as it is copied: its columns as they are named in the database. */
export type CopiedTable = { name: string; columns: Column[] }

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const quote = (name: string) => `"${name}"`

/** All tables, each after those that it refers to. */
export function listTables(): CopiedTable[] {
  const all = new Map(Object.values(tables).map((table) => [getTableName(table as Table), table as unknown as PgTable]))
  const sorted: CopiedTable[] = []
  const visit = (name: string, table: PgTable) => {
    all.delete(name)
    const { foreignKeys, primaryKeys } = getTableConfig(table)
    for (const key of foreignKeys) {
      const target = getTableName(key.reference().foreignTable)
      const referred = all.get(target)
      if (referred) visit(target, referred)
    }
    const keys = new Set(primaryKeys.flatMap(({ columns }) => columns.map((column) => snake(column.name))))
    const columns = Object.values(getTableColumns(table)).map((column) => ({
      name: snake(column.name),
      isKey: column.primary || keys.has(snake(column.name)),
      isIdentity: 'generatedIdentity' in column && column.generatedIdentity !== undefined,
      type: column.getSQLType(),
    }))
    sorted.push({ name, columns })
  }
  for (const [name, table] of [...all]) if (all.has(name)) visit(name, table)
  return sorted
}

/** Fewer than PostgreSQL's 65,535 parameters a statement. */
const MAX_PARAMETERS = 20_000

/** Inserts rows as SQLite has them. */
async function insertRows(client: Pick<pg.ClientBase, 'query'>, { name, columns }: CopiedTable, rows: readonly Record<string, unknown>[]) {
  const batch = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length))
  for (let first = 0; first < rows.length; first += batch) {
    const part = rows.slice(first, first + batch)
    const places = part.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`)
    const values = part.flatMap((row) => columns.map((column) => toPostgres(row[column.name], column)))
    await client.query(
      `insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(', ')}) values ${places.join(', ')}`,
      values,
    )
  }
}

/** Moves the sequence of a table's ids behind the rows that came with an id of their own. */
async function setSequence(client: Pick<pg.ClientBase, 'query'>, { name, columns }: CopiedTable, newest: number) {
  const identity = columns.find(({ isIdentity }) => isIdentity)
  if (identity) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(name), identity.name, Math.max(newest, 1)])
}

const toPostgres = (value: unknown, { type }: Column) => (type === 'boolean' && value !== null ? value === 1 : value)

/** Copies a whole database into an empty one with the same schema, in one transaction. */
export async function copyFromSqlite(sqlite: Connection, client: Pick<pg.ClientBase, 'query'>) {
  await client.query('begin')
  for (const table of listTables()) {
    const rows = sqlite.prepare(`select * from ${quote(table.name)}`).all() as Record<string, unknown>[]
    await insertRows(client, table, rows)
    await setSequence(client, table, newestId(sqlite, table.name))
  }
  await client.query('commit')
}

/** The highest id that was ever given, also of rows that are gone. */
const newestId = (sqlite: Connection, name: string) =>
  Number(sqlite.prepare('select seq from sqlite_sequence where name = ?').pluck().get(name) ?? 0)
