import type { Db } from '#db/db.ts'
import type { Clock } from '#server/ports/clock.ts'
import { saveRightClock } from './clock-guard.ts'
import { findClockMark, findNewestRow, saveClockMark } from './clock-marks.store.ts'
import { describeSpan, judgeClock } from './judge-clock.ts'

type Ports = { db: Db; clock: Clock; print(line: string): void }

/**
 * Accepts the clock of this machine from now on, whatever the rows say; returns false if the database server has another time, which only
 * setting a clock can fix.
 */
export async function acceptClock({ db, clock, print }: Ports, { catchesUp = false } = {}) {
  const now = clock.now()
  const { reason } = judgeClock({ now, database: (await db.readClock?.()) ?? null, newest: null, outside: null })
  if (reason !== null) {
    print(`Not accepted. ${reason}`)
    return false
  }
  const { gap, lag } = await db.write(['clock:mark'], async (tx) => {
    const seconds = await saveRightClock(tx, now)
    const mark = await findClockMark(tx)
    if (catchesUp && mark) await saveClockMark(tx, { ...mark, removalLag: 0 })
    return { gap: seconds, lag: catchesUp ? 0 : (mark?.removalLag ?? 0) }
  })
  print(`Accepted ${now.toISOString()}: ${describeGap(gap)}. Servers that wait for it go on within seconds.`)
  if (lag > 0)
    print(
      `What is removed by age stays ${describeSpan(lag * 1000)} longer. If the gap was real, "clock accept --catch-up" removes it at the next run.`,
    )
  return true
}

function describeGap(seconds: number) {
  if (seconds === 0) return 'the database has the same time'
  return `${describeSpan(seconds * 1000)} ${seconds > 0 ? 'after' : 'before'} its newest entry`
}

/** Prints the instants that the clock is compared with. */
export async function showClock({ db, clock, print }: Ports) {
  const mark = await findClockMark(db.read)
  print(`This machine: ${clock.now().toISOString()}`)
  const database = await db.readClock?.()
  if (database) print(`Database: ${database.toISOString()}`)
  print(`A server last found its clock right: ${mark?.seenAt.toISOString() ?? 'never'}`)
  print(`Newest entry of the database: ${(await findNewestRow(db.read))?.toISOString() ?? 'none'}`)
  if (mark?.removalLag) print(`What is removed by age stays ${describeSpan(mark.removalLag * 1000)} longer.`)
}
