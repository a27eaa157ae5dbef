import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { writeDevices } from '#db/device-changes.ts'
import { dataCopy } from '#server/accounts/my-data/make-copy.ts'
import { ruleDue } from '#server/alerts/due-alerts.ts'
import { quietEnd } from '#server/alerts/quiet/hold-alerts.ts'
import { announcementMail } from '#server/announcements/mail-announcement.ts'
import { pauseEnd } from '#server/billing/pauses/pause-end.ts'
import { priceNotice, priceRecall, priceStart } from '#server/billing/price-changes/price-jobs.ts'
import { count, nameJob } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import { withSpan } from '#server/lib/spans.ts'
import type { World } from '#server/ports/world.ts'
import { learnNormals } from '#server/tracking/normal/learn-normal.ts'
import { removeOldPositions } from '#server/tracking/retention/remove-old.ts'
import { cleanUp } from './clean-up.ts'
import { boostEnd, linkEnd, networkSilence, subscriptionEnd } from './device-jobs.ts'
import type { Fired, Job, JobWorld, Piece } from './job.ts'
import { subscriptionReminder } from './subscription-reminder.ts'
import { markAgain, summarizeDays } from './summarize-days.ts'

type Options = { jobs?: Job[]; goesOn?: () => boolean }

/**
 * Runs everything due by `now`, which is also the recorded time. Each item is one transaction. A failed item is logged and tried again in
 * the next run, while the others continue. Yields to the event loop between items and stops when `goesOn` returns false.
 */
export async function runDue(world: JobWorld, now: Date, { jobs = JOBS, goesOn = () => true }: Options = {}): Promise<Fired[]> {
  const fired: Fired[] = []
  for (const job of jobs) {
    for (const piece of await runLogged(world, { job: job.name }, () => job.due(world.db.read, now, world.graceDays), [])) {
      await yieldToEventLoop()
      if (!goesOn()) return fired
      const { ref } = piece
      if (await runLogged(world, { job: job.name, ref }, () => withSpan(`job ${job.name}`, () => runPiece(world, piece, now)), false))
        fired.push({ at: now, kind: job.name, ref })
    }
  }
  return fired
}

type DueWorld = Pick<World, 'db' | 'graceDays'>

export async function nextDue({ db, graceDays }: DueWorld, after: Date, jobs: Job[] = JOBS): Promise<Date | null> {
  let earliest: Date | null = null
  for (const job of jobs) {
    const next = await job.next(db.read, after, graceDays)
    if (next && (!earliest || next < earliest)) earliest = next
  }
  return earliest
}

/** Time since which the oldest work that a run at `now` would do has been due; null when there is none. */
export async function findOldestDue({ db, graceDays }: DueWorld, now: Date, jobs: Job[] = JOBS): Promise<Date | null> {
  let oldest: Date | null = null
  for (const job of jobs) {
    if ((await job.due(db.read, now, graceDays)).length === 0) continue
    const since = await (job.dueSince?.(db.read, now, graceDays) ?? job.next(db.read, new Date(0), graceDays))
    if (since && (!oldest || since < oldest)) oldest = since
  }
  return oldest
}

async function runPiece(world: JobWorld, piece: Piece, now: Date) {
  const { db, graceDays } = world
  await piece.prepare?.(world, now)
  return writeDevices(db, piece.lock, (tx) => piece.run(tx, now, db.positions, graceDays))
}

async function runLogged<T>({ db, log }: JobWorld, about: { job: string; ref?: string }, work: () => Promise<T>, otherwise: T) {
  try {
    return await work()
  } catch (error) {
    count(db, 'job_failures_total', { work: nameJob(about.job) })
    log.error({ err: error, ...about }, 'a job failed')
    return otherwise
  }
}

/** Mails are sent by the dispatcher instead, because sending can't be part of a transaction. */
export const JOBS: Job[] = [
  boostEnd,
  linkEnd,
  quietEnd,
  ruleDue,
  subscriptionReminder,
  subscriptionEnd,
  networkSilence,
  markAgain,
  summarizeDays,
  removeOldPositions,
  learnNormals,
  dataCopy,
  announcementMail,
  priceStart,
  priceNotice,
  priceRecall,
  pauseEnd,
  cleanUp,
]

/** The accepted delay of a job. */
const TICK_MS = 5000

/** Runs the due jobs by the world's clock until stopped, while the clock is trusted; `stop` waits for the item in progress. */
export function runJobs(world: JobWorld & Pick<World, 'clock'>, isTrusted = () => true) {
  let isStopping = false
  const goesOn = () => !isStopping && isTrusted()
  const jobs = runPeriodically(async () => (goesOn() ? runDue(world, world.clock.now(), { goesOn }) : []), TICK_MS)
  return {
    stop() {
      isStopping = true
      return jobs.stop()
    },
  }
}
