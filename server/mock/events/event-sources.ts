import { formatInstant } from '#contracts/rules/time.ts'
import { onCommit } from '#db/commit-hooks.ts'
import type { SqliteDb } from '#db/sqlite/open.ts'
import type { Fired } from '#server/jobs/job.ts'
import { JOBS } from '#server/jobs/run-jobs.ts'
import type { VirtualClock } from '#server/mock/lib/virtual-clock.ts'
import { listMailsAfter, readNewestMailId } from './events.store.ts'
import type { Events } from './events.ts'

export const withClockEvents = (clock: VirtualClock, events: Events): VirtualClock => ({
  ...clock,
  set(change) {
    clock.set(change)
    const { now, mode, rate } = clock.state()
    events.publish('clock', { now: formatInstant(now), mode, rate })
  },
})

export const publishAlerts = (db: SqliteDb, events: Events) =>
  db.onEvent(({ type, data }) => {
    if (type === 'alert') events.publish('alert', JSON.parse(data))
  })

/** Publishes the events in `fired` of a clock jump, except alerts and mails, which have events of their own. */
export function publishJobs(fired: readonly Fired[], events: Events) {
  for (const { at, kind, ref } of fired)
    if (kind === 'renewal' || JOBS.some(({ name }) => name === kind)) events.publish('job', { at: formatInstant(at), name: kind, ref })
}

/** Wraps a database so that mails written by a transaction are published after its commit. */
export function withMailEvents(db: SqliteDb, events: Events): SqliteDb {
  return {
    ...db,
    write: (lock, work) =>
      db.write(lock, async (tx) => {
        const newest = await readNewestMailId(tx)
        const result = await work(tx)
        const mails = await listMailsAfter(tx, newest)
        onCommit(tx, () => {
          for (const { createdAt: _, ...mail } of mails) events.publish('mail', mail)
        })
        return result
      }),
  }
}
