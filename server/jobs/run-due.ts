import { setImmediate as turn } from 'node:timers/promises'
import { writeDevices } from '#db/device-changes.ts'
import type { Db } from '#db/sqlite/open.ts'
import type { World } from '#server/ports/world.ts'
import type { Fired, Job, Piece } from './job.ts'
import { JOBS } from './jobs.ts'

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
      await turn()
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
    const done = await piece.run(tx, now)
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
