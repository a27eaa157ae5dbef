import { HOUR_MS } from '#contracts/rules/time.ts'
import { EXPIRIES, type Expiry } from './clean-up.store.ts'
import type { Job, Piece } from './job.ts'

/** Deletes expired keys, sessions and counts, and old mails. Runs at full hours, because no user can see the difference. */
export const cleanUp: Job = {
  name: 'clean_up',
  async next(db, after) {
    const soonest = toFullHour(after.getTime() + 1)
    const instants = []
    for (const waste of EXPIRIES) {
      const oldest = await waste.oldest(db)
      if (oldest) instants.push(Math.max(dueAt(waste, oldest), soonest))
    }
    return instants.length > 0 ? new Date(Math.min(...instants)) : null
  },
  async due(db, by) {
    const pieces = []
    for (const waste of EXPIRIES) {
      const oldest = await waste.oldest(db)
      if (oldest && dueAt(waste, oldest) <= by.getTime()) pieces.push(buildPiece(waste, by))
    }
    return pieces
  },
}

const buildPiece = ({ name, keptMs, removeUntil, findLock }: Expiry, by: Date): Piece => ({
  ref: name,
  lock: findLock ? (reader) => findLock(reader, new Date(by.getTime() - keptMs)) : [],
  async run(tx, now) {
    await removeUntil(tx, new Date(now.getTime() - keptMs))
    return {}
  },
})

/** The full hour at which a row is deleted. */
const dueAt = ({ keptMs }: Expiry, instant: Date) => toFullHour(instant.getTime() + keptMs)

const toFullHour = (at: number) => Math.ceil(at / HOUR_MS) * HOUR_MS
