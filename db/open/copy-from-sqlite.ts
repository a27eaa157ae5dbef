import { getTableColumns, getTableName, type Table } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { tables } from '#db/schema/tables.ts'
import type { Connection } from '#db/sqlite/driver.ts'

export type Column = { name: string; isKey: boolean; isIdentity: boolean; type: string }
/** A table to copy, with its columns by their names in the database. */
export type CopiedTable = { name: string; columns: Column[] }

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
export const quote = (name: string) => `"${name}"`

/** All tables, each after those it references. */
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

/** A connection that executes statements. */
export type Client = Pick<pg.ClientBase, 'query'>
/** A row of SQLite, with its values in the order of the table's columns. */
export type SqliteRow = (number | string | Buffer | null)[]

/** Inserts rows, one array per column: three times as fast as a list of rows. */
export async function insertRows(client: Client, { name, columns }: CopiedTable, rows: readonly SqliteRow[]) {
  if (rows.length === 0) return
  const names = columns.map((column) => quote(column.name)).join(', ')
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type.replace(/ COLLATE.*/, '')}[]`).join(', ')
  await client.query(
    `insert into ${quote(name)} (${names}) select * from unnest(${arrays})`,
    columns.map((column, index) => rows.map((row) => toPostgres(row[index], column))),
  )
}

/** Moves the sequence of a table's ids past every id that SQLite ever assigned, including those of deleted rows. */
export async function setSequence(client: Client, sqlite: Connection, { name, columns }: CopiedTable) {
  const identity = columns.find(({ isIdentity }) => isIdentity)
  if (!identity) return
  const newest = Number(sqlite.prepare('select seq from sqlite_sequence where name = ?').pluck().get(name) ?? 0)
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(name), identity.name, Math.max(newest, 1)])
}

export const toPostgres = (value: SqliteRow[number] | undefined, { type }: Column) =>
  type === 'boolean' && value !== null ? value === 1 : value

/** Copies a whole database into an empty one with the same schema, in one transaction. */
export async function copyFromSqlite(sqlite: Connection, client: Client) {
  await client.query('begin')
  for (const table of listTables()) {
    const names = table.columns.map(({ name }) => quote(name)).join(', ')
    const rows = sqlite
      .prepare(`select ${names} from ${quote(table.name)}`)
      .raw()
      .all() as SqliteRow[]
    await insertRows(client, table, rows)
    await setSequence(client, sqlite, table)
  }
  await client.query('commit')
}
