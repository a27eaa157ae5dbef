import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { World } from '#server/ports/world.ts'
import { cleanUp } from './clean-up.ts'
import { boostEnd, networkSilence, subscriptionEnd } from './device-jobs.ts'
import type { Fired, Job, Piece } from './job.ts'
import { linkEnd } from './link-end.ts'
import { markAgain } from './mark-again.ts'

export type JobWorld = Pick<World, 'db' | 'live' | 'log'>
type Options = { jobs?: Job[]; goesOn?: () => boolean }

/**
 * Does what is due by `now`, which is also the time that it is recorded at. Each piece is one transaction. A piece that fails is logged and
 * tried again in the next run, while the others go on. Yields to the event loop between pieces and stops when `goesOn` returns false.
 */
export async function runDue(world: JobWorld, now: Date, { jobs = JOBS, goesOn = () => true }: Options = {}): Promise<Fired[]> {
  const fired: Fired[] = []
  for (const job of jobs) {
    for (const piece of await runLogged(world, { job: job.name }, () => job.due(world.db.read, now), [])) {
      await yieldToEventLoop()
      if (!goesOn()) return fired
      const { ref } = piece
      if (await runLogged(world, { job: job.name, ref }, () => runPiece(world, piece, now), false))
        fired.push({ at: now, kind: job.name, ref })
    }
  }
  return fired
}

export async function nextDue(db: Db, after: Date, jobs: Job[] = JOBS): Promise<Date | null> {
  let earliest: Date | null = null
  for (const job of jobs) {
    const next = await job.next(db.read, after)
    if (next && (!earliest || next < earliest)) earliest = next
  }
  return earliest
}

async function runPiece({ db, live }: JobWorld, piece: Piece, now: Date) {
  const effect = await writeDevices(db, async (tx, touch) => {
    const done = await piece.run(tx, now, db.positions)
    if (done?.changed) touch(done.changed)
    return done
  })
  for (const event of effect?.events ?? []) live.publish(event)
  return effect !== null
}

async function runLogged<T>({ log }: JobWorld, about: object, work: () => Promise<T>, otherwise: T) {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, ...about }, 'a job failed')
    return otherwise
  }
}

/** Mails are sent by the dispatcher instead, because sending can't be part of a transaction. */
export const JOBS: Job[] = [boostEnd, linkEnd, subscriptionEnd, networkSilence, markAgain, cleanUp]

/** How late a job may run. */
const TICK_MS = 5000

/** Runs the due jobs by the world's clock until stopped; `stop` waits for the piece in progress. */
export function runJobs(world: Pick<World, 'db' | 'live' | 'log' | 'clock'>) {
  let isStopping = false
  const jobs = runPeriodically(() => runDue(world, world.clock.now(), { goesOn: () => !isStopping }), TICK_MS)
  return {
    stop() {
      isStopping = true
      return jobs.stop()
    },
  }
}
