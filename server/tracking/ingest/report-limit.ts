import { DAY_MS } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { takeFromQuota } from '#db/throttle.ts'
import { count } from '#server/lib/counts.ts'
import { throttledFor } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'

/** Positions that one tracker's own keys may report on one day (UTC), and how old they may be in days (D-51). */
export const REPORTS = { perDay: 20_000, maxAgeDays: 30 } as const

/** Positions of a tracker that this server may still accept on a day, without asking the database. */
type Day = { number: number; left: Map<number, number> }

const today = new WeakMap<Db, Day>()
/** Positions that a server takes from the quota at a time, because a count in the database would cost a write for each message. */
const SHARE = 500

/** Counts positions that a key of the owner reports for a tracker. Throws `throttled` until midnight (UTC) when they are too many. */
export async function countReported({ db, clock }: Pick<World, 'db' | 'clock'>, deviceId: number, positions: number) {
  const now = clock.now().getTime()
  const number = Math.floor(now / DAY_MS)
  const known = today.get(db)
  const day = known?.number === number ? known : { number, left: new Map<number, number>() }
  today.set(db, day)
  // A single server keeps the count in memory; a restart begins at 0.
  if (hasOneWriter && !day.left.has(deviceId)) day.left.set(deviceId, REPORTS.perDay)
  const missing = positions - (day.left.get(deviceId) ?? 0)
  const resetsAt = new Date((number + 1) * DAY_MS)
  if (missing > 0) {
    const taken = hasOneWriter ? 0 : await takeShare(db, { key: `positions ${deviceId} ${number}`, max: REPORTS.perDay, resetsAt }, missing)
    if (taken === 0) {
      count(db, 'positions_total', { outcome: 'throttled' }, positions)
      throw throttledFor(resetsAt.getTime() - now)
    }
    day.left.set(deviceId, (day.left.get(deviceId) ?? 0) + taken)
  }
  day.left.set(deviceId, (day.left.get(deviceId) ?? 0) - positions)
}

/** A share, or just the missing ones when no whole share is left. Returns how many it took. */
async function takeShare(db: Db, quota: Parameters<typeof takeFromQuota>[1], missing: number) {
  for (const wanted of missing < SHARE ? [SHARE, missing] : [missing]) if (await takeFromQuota(db, quota, wanted)) return wanted
  return 0
}
