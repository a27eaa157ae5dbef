import { formatInstant } from '#contracts/rules/time.ts'
import { finish } from '#contracts/rules/work.ts'
import type { PositionRow } from '#db/positions.ts'
import { deviceLock } from '#db/scope.ts'
import {
  findNextStaleSummary,
  isSummaryStale,
  listStaleSummaries,
  removeSummary,
  saveSummaries,
} from '#server/tracking/days/day-summaries.store.ts'
import { summarizeRows } from '#server/tracking/days/summarize.ts'
import { markPeriod } from '#server/tracking/history/change-marks.ts'
import { findNextLatePeriod, listLatePeriods, PERIOD_SECONDS, removeLatePeriod } from '#server/tracking/history/late-periods.store.ts'
import type { Job } from './job.ts'

/** Judges periods again that received late fixes, because a fix is judged by its neighbours. */
export const markAgain: Job = {
  name: 'mark_again',
  next: findNextLatePeriod,
  due: async (db, by) =>
    (await listLatePeriods(db, by)).map(({ deviceId, start }) => ({
      ref: `devices/${deviceId}/${formatInstant(new Date(start * 1000))}`,
      lock: deviceLock(deviceId),
      async run(tx, _now, positions) {
        if (!(await removeLatePeriod(tx, { deviceId, start }))) return false
        await markPeriod(tx, positions, { deviceId, first: start, last: start + PERIOD_SECONDS - 1 })
        return true
      },
    })),
}

/** A longer day is left to the request that opens it, since computing it would block other writers. */
const MAX_FIXES = 5000

/**
 * Summarizes days again whose positions have changed: by late positions, imports and their undoing, marks. Days that were never read have
 * no summary.
 */
export const summarizeDays: Job = {
  name: 'summarize_days',
  next: findNextStaleSummary,
  due: async (db, by) =>
    (await listStaleSummaries(db, by)).map(({ deviceId, start, end }) => ({
      ref: `devices/${deviceId}/${formatInstant(new Date(start * 1000))}`,
      lock: deviceLock(deviceId),
      async run(tx, _now, positions) {
        if (!(await isSummaryStale(tx, { deviceId, start, end }))) return false
        const rows = await positions.rangeInTx(tx, deviceId, start, end - 1, MAX_FIXES + 1)
        if (rows.length > MAX_FIXES) await removeSummary(tx, { deviceId, start, end })
        else {
          const beside = await positions.neighboursInTx(tx, deviceId, [start, end])
          await saveSummaries(tx, [finish(summarizeRows(deviceId, { start, end }, toColumns(rows), beside))])
        }
        return true
      },
    })),
}

const toColumns = (rows: readonly PositionRow[]) => ({
  time: rows.map(({ time }) => time),
  lat: rows.map(({ lat }) => lat),
  lng: rows.map(({ lng }) => lng),
  precision: rows.map(({ precision }) => precision),
  mark: rows.map(({ mark }) => mark),
})
