import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import type { Db, DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { NewPosition } from '#db/positions.ts'
import { importBlocks, imports } from '#db/schema/positions.ts'
import { deviceLock } from '#db/scope.ts'
import type { World } from '#server/ports/world.ts'
import { addLatePeriods } from '#server/tracking/history/late-periods.store.ts'
import { FIELDS, type FixColumns, readValue } from '#server/tracking/import/formats/fixes.ts'

export type ImportRow = typeof imports.$inferSelect
const ROWS_PER_BLOCK = 1000
/** Blocks per transaction, so that no other writer waits longer than some milliseconds. */
const BLOCKS_AT_ONCE = 2
const BLOCKS_PER_INSERT = 10
const BLOCKS_PER_CALL = IMPORTS.positionsPerCall / ROWS_PER_BLOCK

type Positions = World['positions']

/** Lists imports that saved something, newest first. */
export const listImports = (db: DbReader, deviceId: number) =>
  db
    .select()
    .from(imports)
    .where(and(eq(imports.deviceId, deviceId), ne(imports.state, 'preview')))
    .orderBy(desc(imports.id))

export async function findImport(db: DbReader, deviceId: number, id: number): Promise<ImportRow | undefined> {
  const [row] = await db
    .select()
    .from(imports)
    .where(and(eq(imports.deviceId, deviceId), eq(imports.id, id)))
  return row
}

/**
 * Stores the contents of a file, replacing an earlier preview of the tracker. A later preview may replace this one before it is complete.
 */
export async function insertPreview(
  db: Db,
  row: Omit<typeof imports.$inferInsert, 'state'>,
  blocks: AsyncIterable<Block>,
): Promise<ImportRow> {
  const added = await writeDevices(db.long, deviceLock(row.deviceId), async (tx) => {
    await tx.delete(imports).where(and(eq(imports.deviceId, row.deviceId), eq(imports.state, 'preview')))
    const [inserted] = await tx
      .insert(imports)
      .values({ ...row, state: 'preview' })
      .returning()
    return inserted!
  })
  let nth = 0
  let batch: (typeof importBlocks.$inferInsert)[] = []
  for await (const data of blocks) {
    batch.push({ importId: added.id, nth: nth++, data })
    if (batch.length < BLOCKS_PER_INSERT) continue
    if (!(await insertBlocks(db, added, batch))) return added
    batch = []
  }
  await insertBlocks(db, added, batch)
  return added
}

/** Returns false if the import has been removed. */
const insertBlocks = (db: Db, { id, deviceId }: ImportRow, blocks: readonly (typeof importBlocks.$inferInsert)[]) =>
  writeDevices(db.long, deviceLock(deviceId), async (tx) => {
    const [row] = await tx.select({ id: imports.id }).from(imports).where(eq(imports.id, id))
    if (row) for (const block of blocks) await tx.insert(importBlocks).values(block)
    return row !== undefined
  })

/**
 * Saves the next positions of an import and returns it; undefined if it was undone meanwhile. Existing positions at the same second are not
 * replaced. A job marks those that look wrong.
 */
export async function saveNextBlocks(db: Db, positions: Positions, { deviceId, id }: ImportRow, now: Date) {
  let row: ImportRow | undefined
  for (let saved = 0; saved < BLOCKS_PER_CALL; saved += BLOCKS_AT_ONCE) {
    row = await writeDevices(db.long, deviceLock(deviceId), (tx) => saveBlocks(tx, positions, { deviceId, id, now }))
    if (row?.state !== 'saving') break
  }
  return row
}

async function saveBlocks(tx: Tx, positions: Positions, { deviceId, id, now }: { deviceId: number; id: number; now: Date }) {
  const row = await findImport(tx, deviceId, id)
  if (!row || row.state === 'saved') return row
  const next = await tx
    .select()
    .from(importBlocks)
    .where(and(eq(importBlocks.importId, id), eq(importBlocks.isSaved, false)))
    .orderBy(asc(importBlocks.nth))
    .limit(BLOCKS_AT_ONCE)
  let { saved, added } = row
  for (const { nth, data } of next) {
    const rows = unpackBlock(data)
    const times = await positions.addNew(tx, deviceId, rows)
    await tx
      .update(importBlocks)
      .set({ isSaved: true, data: { time: packColumn(times) } })
      .where(and(eq(importBlocks.importId, id), eq(importBlocks.nth, nth)))
    await addLatePeriods(tx, deviceId, times, now)
    saved += rows.length
    added += times.length
  }
  const [changed] = await tx
    .update(imports)
    .set({ saved, added, state: saved < row.count ? 'saving' : 'saved' })
    .where(eq(imports.id, id))
    .returning()
  return changed
}

/** Deletes the positions that an import added, and the import with its last block. An interrupted call can be repeated. */
export async function undoImport(db: Db, positions: Positions, { deviceId, id }: ImportRow) {
  for (let isDone = false; !isDone; ) {
    isDone = await writeDevices(db.long, deviceLock(deviceId), async (tx) => {
      const isSaved = and(eq(importBlocks.importId, id), eq(importBlocks.isSaved, true))
      const blocks = await tx.select().from(importBlocks).where(isSaved).limit(BLOCKS_AT_ONCE)
      let removed = 0
      for (const { nth, data } of blocks) {
        const times = unpackColumn(data.time).filter((time) => time !== null)
        await positions.removeAt(tx, deviceId, times)
        await tx.delete(importBlocks).where(and(eq(importBlocks.importId, id), eq(importBlocks.nth, nth)))
        removed += times.length
      }
      if (blocks.length > 0)
        await tx
          .update(imports)
          .set({ added: sql`${imports.added} - ${removed}` })
          .where(eq(imports.id, id))
      else await tx.delete(imports).where(eq(imports.id, id))
      return blocks.length === 0
    })
  }
}

// --- blocks of positions ------------------------------------------------------------------------------------------

/** Columns of positions as differences to the previous row; a column without any value is omitted. */
export type Block = Record<string, (number | null)[] | undefined>

/** Packs positions in the order of `rows`, block by block: all blocks of a large file at once would take several times its size. */
export async function* packBlocks(columns: FixColumns, rows: Uint32Array): AsyncGenerator<Block> {
  for (let first = 0; first < rows.length; first += ROWS_PER_BLOCK) {
    const part = [...rows.subarray(first, first + ROWS_PER_BLOCK)]
    yield Object.fromEntries(
      FIELDS.map((field) => part.map((row) => readValue(columns, field, row)))
        .map((values, index) => [FIELDS[index]!, values] as const)
        .filter(([, values]) => values.some((value) => value !== null))
        .map(([field, values]) => [field, packColumn(values)]),
    )
    await setImmediate()
  }
}

function packColumn(values: readonly (number | null)[]) {
  let before = 0
  return values.map((value) => {
    if (value === null) return null
    const difference = value - before
    before = value
    return difference
  })
}

function unpackColumn(packed: readonly (number | null)[] = []) {
  let value = 0
  return packed.map((difference) => {
    if (difference === null) return null
    value += difference
    return value
  })
}

export function unpackBlock(block: Block): NewPosition[] {
  const columns = FIELDS.map((field) => unpackColumn(block[field]))
  return columns[0]!.map((_, row) => Object.fromEntries(FIELDS.map((field, index) => [field, columns[index]![row] ?? null])) as NewPosition)
}
