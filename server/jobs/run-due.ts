import { setImmediate as turn } from 'node:timers/promises'
import { writeDevices } from '#db/device-changes.ts'
import type { Db } from '#db/sqlite/open.ts'
import type { World } from '#server/ports/world.ts'
import type { Fired, Job, Piece } from './job.ts'
import { JOBS } from './jobs.ts'

export type JobWorld = Pick<World, 'db' | 'live' | 'log'>
type Options = { jobs?: Job[]; goesOn?: () => boolean }

/**
 * Does what is due by `now`, which is also the time it is done at. Each piece is a transaction: its effect and the mark that
 * it is done are kept together or not at all. A piece that fails is told to the log; the others go on, it is tried next time.
 * Between two pieces others have their turn, and `goesOn` is asked whether to go on.
 */
export async function runDue(world: JobWorld, now: Date, { jobs = JOBS, goesOn = () => true }: Options = {}): Promise<Fired[]> {
  const fired: Fired[] = []
  for (const job of jobs) {
    for (const piece of await guarded(world, { job: job.name }, () => job.due(world.db.read, now), [])) {
      await turn()
      if (!goesOn()) return fired
      const { ref } = piece
      if (await guarded(world, { job: job.name, ref }, () => runPiece(world, piece, now), false))
        fired.push({ at: now, kind: job.name, ref })
    }
  }
  return fired
}

/** The earliest instant after `after` at which something falls due, or null. */
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
    const done = await piece.run(tx, now)
    if (done?.changed) touch(done.changed)
    return done
  })
  for (const event of effect?.events ?? []) live.publish(event)
  return effect !== null
}

async function guarded<T>({ log }: JobWorld, about: object, work: () => Promise<T>, otherwise: T) {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, ...about }, 'a job failed')
    return otherwise
  }
}
