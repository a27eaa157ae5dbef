import { createHash } from 'node:crypto'
import { type Client, type Column, type CopiedTable, quote, type SqliteRow, toPostgres } from '#db/open/copy-from-sqlite.ts'
import type { Connection } from '#db/sqlite/driver.ts'

/** The digest of a table, equal on both sides when the rows are. */
export type Digest = { rows: number; checksum: string }

/** Rows per read. */
export const PAGE = 5000
/** A NUL, which PostgreSQL cannot store, becomes U+FFFD, the replacement character. */
export const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd')

type Read = (statement: string, values: unknown[]) => Promise<SqliteRow[]>

/** Reads a table in the order of its key, in pages, after the row `after`. Both engines compare text by its bytes. */
export async function* readPages(read: Read, table: CopiedTable, placeholder: (index: number) => string, after: SqliteRow | null) {
  const keys = table.columns.filter(({ isKey }) => isKey)
  const names = keys.map(({ name }) => quote(name)).join(', ')
  const columns = table.columns.map(({ name, type }) => (type === 'json' ? `cast(${quote(name)} as text)` : quote(name))).join(', ')
  const behind = `where (${names}) > (${keys.map((_, index) => placeholder(index)).join(', ')})`
  for (let last = after; ; ) {
    const statement = `select ${columns} from ${quote(table.name)} ${last ? behind : ''} order by ${names} limit ${PAGE}`
    const rows = await read(statement, last ?? [])
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = keyOf(table, rows.at(-1)!)
  }
}

export const keyOf = ({ columns }: CopiedTable, row: SqliteRow) => row.filter((_, index) => columns[index]!.isKey)

export const readSqlite =
  (sqlite: Connection): Read =>
  async (statement, values) =>
    sqlite
      .prepare(statement)
      .raw()
      .all(...values) as SqliteRow[]

const readPostgres =
  (client: Client): Read =>
  async (statement, values) =>
    (await client.query<SqliteRow>({ text: statement, values, rowMode: 'array' })).rows

/** Reads the digest that a table of SQLite has after the move. */
export async function digestSqlite(sqlite: Connection, table: CopiedTable): Promise<Digest> {
  if (!isNumeric(table))
    return digest(
      readPages(readSqlite(sqlite), table, () => '?', null),
      toMoved(table),
    )
  return toDigest(await readSqlite(sqlite)(sumStatement(table), []))
}

/** Reads the digest of a table in PostgreSQL. */
export async function digestPostgres(client: Client, table: CopiedTable): Promise<Digest> {
  if (!isNumeric(table))
    return digest(
      readPages(readPostgres(client), table, (index) => `$${index + 1}`, null),
      (row) => row,
    )
  return toDigest(await readPostgres(client)(sumStatement(table), []))
}

const toDigest = ([row]: SqliteRow[]): Digest => ({ rows: Number(row?.[0]), checksum: String(row?.[1]) })

async function digest(pages: AsyncIterable<SqliteRow[]>, toValues: (row: SqliteRow) => unknown[]): Promise<Digest> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of pages)
    for (const row of rows) {
      count++
      hash.update(JSON.stringify(toValues(row).map((value) => (value instanceof Buffer ? value.toString('base64') : value))))
    }
  return { rows: count, checksum: hash.digest('hex').slice(0, 16) }
}

/** Converts a row of SQLite to PostgreSQL's values. */
function toMoved({ columns }: CopiedTable) {
  const toValue = (value: SqliteRow[number], column: Column) => toPostgres(typeof value === 'string' ? withoutNul(value) : value, column)
  return (row: SqliteRow) => row.map((value, index) => toValue(value, columns[index]!))
}

const isNumeric = ({ columns }: CopiedTable) => columns.every(({ type }) => type === 'bigint')

/** Below 2^31, so that no product exceeds 64 bits. */
const PRIME = 2_147_483_647
const FACTOR = 1_000_003
/** Maps every stored number to a positive one; null to a number that no column contains. */
const OFFSET = 10_000_000_000
const NULL = -9_999_999_999

/** The sum of a number per row, which both engines compute alike without sending a row. The long tables contain only numbers. */
function sumStatement({ name, columns }: CopiedTable) {
  const values = columns.map((column) => `(coalesce(cast(${quote(column.name)} as bigint), ${NULL}) + ${OFFSET}) % ${PRIME}`)
  const row = values.reduce((sum, value) => `((${sum}) * ${FACTOR} + ${value}) % ${PRIME}`)
  return `select count(*), cast(coalesce(sum(${row}), 0) as text) from ${quote(name)}`
}
