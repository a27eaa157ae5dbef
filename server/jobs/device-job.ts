import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { Job } from './job.ts'
import { type DueRule, deviceDue, devicesDue, nextTurn } from './jobs.store.ts'

type DeviceJob = {
  name: string
  rule: DueRule
  /** Applies the change and queues its mail; returns the event for the live stream. */
  apply(tx: Tx, device: DeviceRow, now: Date): Promise<LiveEvent>
}

/** A job that handles trackers one by one; each is checked again within its transaction. */
export const deviceJob = ({ name, rule: turn, apply: take }: DeviceJob): Job => ({
  name,
  next: (db, after) => nextTurn(db, turn, after),
  due: async (db, by) =>
    (await devicesDue(db, turn, by)).map(({ id }) => ({
      ref: `devices/${id}`,
      async run(tx, now) {
        const device = await deviceDue(tx, turn, id, now)
        return device ? { changed: device, events: [await take(tx, device, now)] } : null
      },
    })),
})
