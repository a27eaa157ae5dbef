import path from 'node:path'
import pg from 'pg'
import { type Client, type CopiedTable, insertRows, listTables, quote, type SqliteRow, setSequence } from '#db/open/copy-from-sqlite.ts'
import { addPartitions } from '#db/postgres/months/partitions.ts'
import { migrate as migratePostgres, openPostgres } from '#db/postgres/open.ts'
import { type Connection, connect } from '#db/sqlite/driver.ts'
import { lockFolder } from '#db/sqlite/lock.ts'
import { newestMigration } from '#db/sqlite/open.ts'
import { type Digest, digestPostgres, digestSqlite, keyOf, PAGE, readPages, readSqlite, withoutNul } from './compare.ts'

export type Progress = { table: string; rows: number; total: number; movedOfAll: number; ofAll: number }
export type MovedTable = { name: string; source: Digest; target: Digest }
type Options = {
  /** The data folder, and the database in it. */
  folder: string
  filename: string
  url: string
  now: Date
  /** Whether a NUL in a text is replaced by U+FFFD. If not, the move stops at it. */
  replacesNul?: boolean
  onProgress?(progress: Progress): void
  onVerify?(table: string): unknown
}

/** Maximum size of a transaction's rows in bytes, approximately: photos and files are larger than positions. */
const BATCH_BYTES = 8_000_000
/** Advisory lock of moves, so that a database receives one at a time. The number is arbitrary. */
const MOVE_LOCK = 7_326_042
const PROGRESS = 'whereabouts_move.progress'

/**
 * Copies the database of a data folder to PostgreSQL, and compares each table afterwards. An interrupted move continues after the last
 * committed row. Rejects with one sentence when the source is in use or of another release, or when the target has rows of its own.
 */
export async function moveDatabase({ folder, filename, url, now, ...options }: Options): Promise<MovedTable[]> {
  const unlock = lockSource(folder)
  try {
    const sqlite = openSource(path.join(folder, filename))
    try {
      const db = await openPostgres(url, { max: 2 })
      const client = new pg.Client({
        connectionString: await db.connections.hosts.find(),
        application_name: 'whereabouts move',
        keepAlive: true,
      })
      try {
        await client.connect()
        await client.query("set statement_timeout = 0; set lock_timeout = '10s'; set synchronous_commit = off")
        await client.query(`select pg_advisory_lock(${MOVE_LOCK})`)
        await migratePostgres(db, now)
        return await copyAll(sqlite, client, now, options)
      } finally {
        await client.end()
        await db.close()
      }
    } finally {
      sqlite.close()
    }
  } finally {
    unlock()
  }
}

function lockSource(folder: string) {
  try {
    return lockFolder(folder)
  } catch (cause) {
    throw new Error(`A server uses the data folder ${folder}. Stop it first: what it writes during a move would be lost.`, { cause })
  }
}

function openSource(file: string) {
  let sqlite: Connection
  try {
    sqlite = connect(file, { fileMustExist: true })
  } catch (cause) {
    throw new Error(`There is no database ${file}. Name the data folder: --from data`, { cause })
  }
  sqlite.pragma('query_only = ON')
  const has = sqlite.prepare("select 1 from sqlite_schema where name = '__drizzle_migrations'").get()
  const newest = has ? Number(sqlite.prepare('select max(created_at) from __drizzle_migrations').pluck().get()) : 0
  if (newest === newestMigration()) return sqlite
  sqlite.close()
  throw new Error(
    newest > newestMigration()
      ? `The database ${file} belongs to a newer release. Move it with that release.`
      : `The database ${file} belongs to an older release. Start the server of this release on it once, then move it.`,
  )
}

async function copyAll(sqlite: Connection, client: Client, now: Date, { onProgress, onVerify, replacesNul = false }: Partial<Options>) {
  const tables = listTables()
  const progress = await readProgress(client, tables)
  const totals = new Map(tables.map(({ name }) => [name, countRows(sqlite, name)]))
  const ofAll = [...totals.values()].reduce((sum, total) => sum + total, 0)
  const oldest = sqlite.prepare('select min(time) from positions').pluck().get() as number | null
  if (oldest !== null) await addPartitions(client, now, new Date(oldest * 1000))
  let movedOfAll = 0
  for (const table of tables) {
    const { name } = table
    const total = totals.get(name)!
    const at = progress.get(name)
    let rows = at?.rows ?? 0
    movedOfAll += rows
    const report = () => onProgress?.({ table: name, rows, total, movedOfAll, ofAll })
    report()
    if (at?.isDone) continue
    for await (const page of readPages(readSqlite(sqlite), table, () => '?', at?.last ?? null))
      for (const batch of splitBatch(page)) {
        await insertBatch(client, table, cleanRows(table, batch, replacesNul), rows + batch.length)
        rows += batch.length
        movedOfAll += batch.length
        report()
      }
    await setSequence(client, sqlite, table)
    await saveProgress(client, name, { last: null, rows, isDone: true })
  }
  return verify(sqlite, client, tables, onVerify)
}

/** Compares all tables. If all are equal, servers may use the target from then on. */
async function verify(sqlite: Connection, client: Client, tables: CopiedTable[], onVerify?: (table: string) => unknown) {
  const moved: MovedTable[] = []
  for (const table of tables) {
    await onVerify?.(table.name)
    const [source, target] = await Promise.all([digestSqlite(sqlite, table), digestPostgres(client, table)])
    moved.push({ name: table.name, source, target })
  }
  // Index-only reads of positions need pages that VACUUM has processed.
  await client.query('vacuum (analyze)')
  if (moved.every(isSame)) await client.query('set synchronous_commit = on; drop schema whereabouts_move cascade')
  return moved
}

export const isSame = ({ source, target }: MovedTable) => source.rows === target.rows && source.checksum === target.checksum

type TableProgress = { last: SqliteRow | null; rows: number; isDone: boolean }

/** Reads the progress of an earlier move. Rejects when the target has rows that no move inserted. */
async function readProgress(client: Client, tables: CopiedTable[]) {
  const { rows: known } = await client.query('select to_regclass($1) as name', [PROGRESS])
  if (!known[0]?.name) {
    for (const { name } of tables) {
      const { rows } = await client.query(`select 1 from ${quote(name)} limit 1`)
      if (rows.length > 0) throw new Error(`The target is not empty: ${name} has rows. Name a database without any: --to postgres://…`)
    }
    await client.query(
      `create schema whereabouts_move; create table ${PROGRESS} (name text primary key, last json, rows bigint not null, is_done boolean not null)`,
    )
  }
  const { rows } = await client.query(`select name, last, rows, is_done as "isDone" from ${PROGRESS}`)
  return new Map(rows.map(({ name, ...progress }) => [String(name), progress as TableProgress]))
}

const saveProgress = (client: Client, name: string, { last, rows, isDone }: TableProgress) =>
  client.query(
    `insert into ${PROGRESS} (name, last, rows, is_done) values ($1, $2, $3, $4) on conflict (name) do update set last = excluded.last, rows = excluded.rows, is_done = excluded.is_done`,
    [name, JSON.stringify(last), rows, isDone],
  )

/** Inserts rows and updates the progress in one transaction. */
async function insertBatch(client: Client, table: CopiedTable, batch: SqliteRow[], rows: number) {
  try {
    await client.query('begin')
    await insertRows(client, table, batch)
    await saveProgress(client, table.name, { last: keyOf(table, batch.at(-1)!), rows, isDone: false })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw await nameRow(client, table, batch, error)
  }
}

/** Finds the row that PostgreSQL rejects, for the error message. */
async function nameRow(client: Client, table: CopiedTable, batch: SqliteRow[], error: unknown) {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return error
  for (const row of batch) {
    await client.query('begin')
    const refused = await insertRows(client, table, [row]).catch((cause: Error) => cause)
    await client.query('rollback')
    if (refused) return new Error(`PostgreSQL refuses ${describeRow(table, row)}: ${refused.message}`, { cause: error })
  }
  return error
}

const describeRow = (table: CopiedTable, row: SqliteRow) => `the row ${keyOf(table, row).join(', ')} of ${table.name}`

function cleanRows(table: CopiedTable, rows: SqliteRow[], replacesNul: boolean) {
  return rows.map((row) => {
    const column = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
    if (column < 0) return row
    if (!replacesNul)
      throw new Error(
        `${describeRow(table, row)} has a NUL in ${table.columns[column]!.name}, which PostgreSQL cannot store. With --replace-nul the move stores U+FFFD instead.`,
      )
    return row.map((value) => (typeof value === 'string' ? withoutNul(value) : value))
  })
}

function* splitBatch(page: SqliteRow[]) {
  let batch: SqliteRow[] = []
  let bytes = 0
  for (const row of page) {
    batch.push(row)
    for (const value of row) bytes += value !== null && typeof value !== 'number' ? value.length : 0
    if (bytes < BATCH_BYTES && batch.length < PAGE) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

const countRows = (sqlite: Connection, name: string) =>
  sqlite
    .prepare(`select count(*) from ${quote(name)}`)
    .pluck()
    .get() as number
