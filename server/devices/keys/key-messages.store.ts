import { desc, eq, getTableColumns } from 'drizzle-orm'
import type { Db, DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { deviceKeys, keyMessages } from '#db/schema/devices.ts'
import type { World } from '#server/ports/world.ts'

type Row = typeof keyMessages.$inferSelect
type NewMessage = Omit<Row, 'at'>
export type KeyMessageRow = Row & { isGateway: boolean }

/** The last messages for a tracker, newest first. */
export async function listKeyMessages(db: DbReader, deviceId: number) {
  const rows = await db
    .select({ ...getTableColumns(keyMessages), owner: deviceKeys.deviceId })
    .from(keyMessages)
    .innerJoin(deviceKeys, eq(deviceKeys.id, keyMessages.keyId))
    .where(eq(keyMessages.deviceId, deviceId))
    .orderBy(desc(keyMessages.at), desc(keyMessages.keyId))
  return rows.map(({ owner, ...row }): KeyMessageRow => ({ ...row, isGateway: owner === null }))
}

/** A message like the last one is written after this time only, because a commit costs more than reading a message. */
const SAME_AGAIN_MS = 5000
/** Messages remembered for that; a forgotten one costs a write. */
const MAX_REMEMBERED = 10_000

/** What was written last, by key and tracker. */
const written = new WeakMap<Db, Map<string, Row>>()

/**
 * Saves what became of a message, in place of the one before with this key for this tracker. Never throws, because the message itself is
 * ingested or refused already.
 */
export async function recordKeyMessage({ db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>, message: NewMessage) {
  const row = { ...message, at: clock.now() }
  const known = written.get(db) ?? new Map<string, Row>()
  const id = `${row.keyId} ${row.deviceId}`
  if (isSameAgain(known.get(id), row)) return
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(id, row)
  written.set(db, known)
  const target = [keyMessages.keyId, keyMessages.deviceId]
  try {
    await writeDevices(db, (tx) => tx.insert(keyMessages).values(row).onConflictDoUpdate({ target, set: row }))
  } catch (error) {
    log.warn({ err: error, keyId: row.keyId }, 'the outcome of a message was not saved')
  }
}

function isSameAgain(last: Row | undefined, row: Row) {
  if (!last || Math.abs(row.at.getTime() - last.at.getTime()) >= SAME_AGAIN_MS) return false
  return last.protocol === row.protocol && last.outcome === row.outcome && last.reason === row.reason && last.positions === row.positions
}
