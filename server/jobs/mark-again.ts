import { formatInstant } from '#contracts/rules/time.ts'
import { deviceLock } from '#db/scope.ts'
import { findNextLatePeriod, listLatePeriods, PERIOD_SECONDS, removeLatePeriod } from '#server/tracking/history/late-periods.store.ts'
import { markPeriod } from '#server/tracking/history/mark-period.ts'
import type { Job } from './job.ts'

/** Judges the periods again to which fixes came late, because a fix is judged by its neighbours. */
export const markAgain: Job = {
  name: 'mark_again',
  next: findNextLatePeriod,
  due: async (db, by) =>
    (await listLatePeriods(db, by)).map(({ deviceId, start }) => ({
      ref: `devices/${deviceId}/${formatInstant(new Date(start * 1000))}`,
      lock: deviceLock(deviceId),
      async run(tx, _now, positions) {
        if (!(await removeLatePeriod(tx, { deviceId, start }))) return null
        await markPeriod(tx, positions, { deviceId, first: start, last: start + PERIOD_SECONDS - 1 })
        return {}
      },
    })),
}
