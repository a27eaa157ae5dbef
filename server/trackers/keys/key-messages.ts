import type { Db } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { World } from '#server/ports/world.ts'
import { type KeyMessageRow, saveKeyMessage } from './device-keys.store.ts'

type NewMessage = Omit<KeyMessageRow, 'at'>

/** A message with the same outcome as the last one is recorded only after this time, because a commit costs more than reading a message. */
const SAME_AGAIN_MS = 5000
/** The number of messages cached for that; the message after an evicted one is written again. */
const MAX_REMEMBERED = 10_000

/** The last written message, by key and tracker. */
const written = new WeakMap<Db, Map<string, KeyMessageRow>>()

/**
 * Saves the outcome of a message, replacing the previous one with this key for this tracker. Never throws, because the message itself is
 * already ingested or rejected.
 */
export async function recordKeyMessage({ db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>, message: NewMessage) {
  const row = { ...message, at: clock.now() }
  const known = written.get(db) ?? new Map<string, KeyMessageRow>()
  const id = `${row.keyId} ${row.deviceId}`
  if (isSameAgain(known.get(id), row)) return
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(id, row)
  written.set(db, known)
  try {
    await writeDevices(db, [], (tx) => saveKeyMessage(tx, row))
  } catch (error) {
    log.warn({ err: error, keyId: row.keyId }, 'the outcome of a message was not saved')
  }
}

function isSameAgain(last: KeyMessageRow | undefined, row: KeyMessageRow) {
  if (!last || Math.abs(row.at.getTime() - last.at.getTime()) >= SAME_AGAIN_MS) return false
  return last.protocol === row.protocol && last.outcome === row.outcome && last.reason === row.reason && last.positions === row.positions
}
