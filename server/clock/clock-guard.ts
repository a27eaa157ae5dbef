import type { Db, DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { ClockGuard } from '#server/ports/clock.ts'
import type { World } from '#server/ports/world.ts'
import { type ClockMark, findClockMark, findNewestRow, saveClockMark } from './clock-marks.store.ts'
import { describeSpan, isNear, judgeClock, type Verdict } from './judge-clock.ts'

type Ports = Pick<World, 'clock' | 'log'> & { db: Db }
type Options = {
  /** Whether the operator vouches for the clock (`CLOCK_TRUSTED=on`). */
  isTrusted?: boolean
  readMonotonicMs?: () => number
  readOutside?: () => Promise<Date | null>
}

type WatchedClock = ClockGuard & {
  /** Compares the clock with the database and, if necessary, an outside clock; records that it is right. */
  check(): Promise<void>
  /** Watches until stopped. */
  watch(): { stop(): Promise<void> }
}

const TICK_MS = 1000
const CHECK_EVERY_MS = 60_000
/** While in doubt the interval is short, so that the operator's command takes effect at once. */
const DOUBT_CHECK_EVERY_MS = 5000

/**
 * Watches the clock of a production server. While it is in doubt nothing that depends on the time may begin: what a wrong clock expires,
 * removes or mails cannot be undone (docs/decisions/100-clock-in-doubt.md).
 */
export function createClockGuard({ db, clock, log }: Ports, options: Options = {}): WatchedClock {
  const { isTrusted = false, readMonotonicMs = () => performance.now(), readOutside = async () => null } = options
  let verdict: Verdict = { offset: 0, reason: 'The clock of this server has not been compared yet.' }
  let isReported = false
  /** When the clock was last known to be right. */
  let right: { wall: number; monotonic: number } | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let asked: { at: number; answer: Date | null } | null = null

  /** The time that the clock must show if it ran evenly since it was right. */
  const expected = () => right && new Date(right.wall + readMonotonicMs() - right.monotonic)

  function setVerdict(next: Verdict) {
    if (next.reason !== null && !isReported) log.error({ offset: next.offset / 1000 }, next.reason)
    if (next.reason === null && isReported) log.warn({}, 'the clock of this server is right again')
    isReported = next.reason !== null
    verdict = next
  }

  function lookForJump() {
    const [now, due] = [clock.now(), expected()]
    if (verdict.reason === null && due && !isTrusted && !isNear(now, due)) {
      const offset = now.getTime() - due.getTime()
      setVerdict({ offset, reason: `The clock of this server has jumped by ${describeSpan(offset)}.` })
      checkedAt = Number.NEGATIVE_INFINITY
    }
    return verdict.reason === null
  }

  /** Checks once a minute, also while the clock is in doubt. */
  async function askOutside() {
    if (!asked || readMonotonicMs() - asked.at >= CHECK_EVERY_MS) asked = { at: readMonotonicMs(), answer: await readOutside() }
    return asked.answer && new Date(asked.answer.getTime() + readMonotonicMs() - asked.at)
  }

  async function check() {
    checkedAt = readMonotonicMs()
    const mark = await findClockMark(db.read)
    const database = (await db.readClock?.()) ?? null
    const [now, due] = [clock.now(), expected()]
    // After a jump the mark of this process is no evidence: a clock that was set back reaches it again.
    const isOthers = mark && mark.seenAt.getTime() !== right?.wall
    const known = [due, isOthers ? mark.seenAt : undefined].find((at) => at && isNear(now, at))
    const newest = known ?? (due && !isOthers ? due : await findNewest(db.read, mark))
    const isUsual = !newest || isNear(now, newest)
    const outside = isUsual ? null : await askOutside()
    const judged = judgeClock({ now, database, newest, isJump: newest !== null && newest === due, outside })
    const next = isTrusted ? { ...judged, reason: null } : judged
    if (next.reason === null) {
      await writeDevices(db, ['clock:mark'], (tx) => saveRightClock(tx, now))
      right = { wall: now.getTime(), monotonic: readMonotonicMs() }
    }
    setVerdict(next)
  }

  return {
    isTrusted: lookForJump,
    state: () => verdict,
    check,
    watch: () =>
      runPeriodically(async () => {
        const every = lookForJump() ? CHECK_EVERY_MS : DOUBT_CHECK_EVERY_MS
        if (readMonotonicMs() - checkedAt < every) return
        await check().catch((error) => log.warn({ err: error }, 'the clock could not be compared'))
      }, TICK_MS),
  }
}

/** The newest instant that a server saved, except those that already existed when an earlier clock was accepted. */
async function findNewest(db: DbReader, mark: ClockMark | undefined) {
  const row = await findNewestRow(db)
  const isIgnored = !row || (mark?.ignoredUntil && row <= mark.ignoredUntil)
  if (!mark) return row
  return isIgnored || row < mark.seenAt ? mark.seenAt : row
}

/**
 * Records that the clock is right now. A gap since the newest instant counts as time in which nothing aged, so that removals by age
 * continue where they were. Later instants no longer count as evidence. Returns the gap in seconds, negative if the clock went back.
 */
export async function saveRightClock(tx: Tx, now: Date) {
  const mark = await findClockMark(tx)
  const newest = mark && isNear(now, mark.seenAt) ? mark.seenAt : await findNewest(tx, mark)
  const gap = newest && !isNear(now, newest) ? Math.round((now.getTime() - newest.getTime()) / 1000) : 0
  await saveClockMark(tx, {
    seenAt: now,
    ignoredUntil: newest && gap < 0 ? newest : (mark?.ignoredUntil ?? null),
    removalLag: Math.max(0, (mark?.removalLag ?? 0) + gap),
  })
  return gap
}
