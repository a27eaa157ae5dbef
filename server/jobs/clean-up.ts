import { HOUR_MS } from '#contracts/rules/time.ts'
import { WASTES, type Waste } from './clean-up.store.ts'
import type { Job, Piece } from './job.ts'

/** Deletes expired keys, sessions and counts, and old mails. Runs at full hours, because no user can see the difference. */
export const cleanUp: Job = {
  name: 'clean_up',
  async next(db, after) {
    const soonest = fullHour(after.getTime() + 1)
    const instants = []
    for (const waste of WASTES) {
      const oldest = await waste.oldest(db)
      if (oldest) instants.push(Math.max(turnOf(waste, oldest), soonest))
    }
    return instants.length > 0 ? new Date(Math.min(...instants)) : null
  },
  async due(db, by) {
    const pieces = []
    for (const waste of WASTES) {
      const oldest = await waste.oldest(db)
      if (oldest && turnOf(waste, oldest) <= by.getTime()) pieces.push(pieceOf(waste))
    }
    return pieces
  },
}

const pieceOf = ({ name, keptMs, removeUntil }: Waste): Piece => ({
  ref: name,
  async run(tx, now) {
    await removeUntil(tx, new Date(now.getTime() - keptMs))
    return {}
  },
})

/** The full hour at which a row is deleted. */
const turnOf = ({ keptMs }: Waste, instant: Date) => fullHour(instant.getTime() + keptMs)

const fullHour = (at: number) => Math.ceil(at / HOUR_MS) * HOUR_MS
