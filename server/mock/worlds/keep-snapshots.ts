import { openDb } from '#db/sqlite/open.ts'
import type { MockWorld } from './world.ts'

/** Where the header of a file says that its newest changes lie beside it, which bytes in memory have not. */
const JOURNAL_VERSIONS = [18, 19]

/** A world as it stands in one file: its database, with the time of its clock and how many ids it has drawn. */
export async function keep({ db, clock, ids }: Pick<MockWorld, 'db' | 'clock' | 'ids'>): Promise<Buffer> {
  const bytes = await db.write(async () => db.raw.serialize())
  for (const offset of JOURNAL_VERSIONS) bytes[offset] = 1
  const copy = openDb(bytes)
  const { now, ...pace } = clock.state()
  const kept = JSON.stringify({ ...pace, at: now.toISOString() })
  copy.raw.prepare('update seeds set clock = ?, ids = ?').run(kept, ids.count?.() ?? null)
  const whole = copy.raw.serialize()
  copy.close()
  return whole
}
