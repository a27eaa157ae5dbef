import { HOUR_MS } from '#contracts/rules/time.ts'
import { findRemovalLag } from '#server/clock/clock-marks.store.ts'
import { EXPIRIES, type Expiry } from './clean-up.store.ts'
import type { Job, Piece } from './job.ts'

/** Deletes expired keys, sessions and counts, and old mails. Runs at full hours, because no user can see the difference. */
export const cleanUp: Job = {
  name: 'clean_up',
  async next(db, after) {
    const soonest = toFullHour(after.getTime() + 1)
    const lag = await findRemovalLag(db)
    const instants = []
    for (const waste of EXPIRIES) {
      const oldest = await waste.oldest(db)
      if (oldest) instants.push(Math.max(dueAt(waste, oldest, lag), soonest))
    }
    return instants.length > 0 ? new Date(Math.min(...instants)) : null
  },
  async due(db, by) {
    const lag = await findRemovalLag(db)
    const pieces = []
    for (const waste of EXPIRIES) {
      const oldest = await waste.oldest(db)
      if (oldest && dueAt(waste, oldest, lag) <= by.getTime()) pieces.push(buildPiece(waste, by, lag))
    }
    return pieces
  },
}

const buildPiece = ({ name, keptMs, removeUntil, findLock }: Expiry, by: Date, lag: number): Piece => ({
  ref: name,
  lock: findLock ? (reader) => findLock(reader, new Date(by.getTime() - keptMs - lag)) : [],
  async run(tx, now) {
    await removeUntil(tx, new Date(now.getTime() - keptMs - (await findRemovalLag(tx))))
    return true
  },
})

/** The full hour at which a row is deleted. `lag`: while no server ran, nothing aged (docs/decisions/100-clock-in-doubt.md). */
const dueAt = ({ keptMs }: Expiry, instant: Date, lag: number) => toFullHour(instant.getTime() + keptMs + lag)

const toFullHour = (at: number) => Math.ceil(at / HOUR_MS) * HOUR_MS
