import { openDb } from '#db/sqlite/open.ts'
import type { MockWorld } from './world.ts'

/** Header bytes that say the database uses a write-ahead log, which bytes in memory do not have. */
const JOURNAL_VERSION_OFFSETS = [18, 19]

/** Serializes a world into one file: its database with the state of its clock and the number of ids drawn. */
export async function keep({ db, clock, ids }: Pick<MockWorld, 'db' | 'clock' | 'ids'>): Promise<Buffer> {
  const bytes = await db.write(async () => db.raw.serialize())
  for (const offset of JOURNAL_VERSION_OFFSETS) bytes[offset] = 1
  const copy = openDb(bytes)
  const { now, ...pace } = clock.state()
  const kept = JSON.stringify({ ...pace, at: now.toISOString() })
  copy.raw.prepare('update seeds set clock = ?, ids = ?').run(kept, ids.count?.() ?? null)
  const whole = copy.raw.serialize()
  copy.close()
  return whole
}
