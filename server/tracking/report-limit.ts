import { REPORTS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { throttledFor } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'

type Day = { number: number; positions: Map<number, number> }

/** In memory, because one process serves a database, and a count in it would cost a write for each message. A restart begins at 0. */
const today = new WeakMap<Db, Day>()

/** Counts positions that a key of the owner reports for a tracker. Throws `throttled` until midnight (UTC) when they are too many. */
export function countReported({ db, clock }: Pick<World, 'db' | 'clock'>, deviceId: number, positions: number) {
  const now = clock.now().getTime()
  const number = Math.floor(now / DAY_MS)
  const known = today.get(db)
  const day = known?.number === number ? known : { number, positions: new Map<number, number>() }
  today.set(db, day)
  const total = (day.positions.get(deviceId) ?? 0) + positions
  if (total > REPORTS.perDay) throw throttledFor((number + 1) * DAY_MS - now)
  day.positions.set(deviceId, total)
}
