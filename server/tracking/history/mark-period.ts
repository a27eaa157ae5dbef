import { createFilter, judgeFix } from '#contracts/rules/history/filter.ts'
import type { Tx } from '#db/db.ts'
import { fromFixed7, markNumber, type PositionStore } from '#db/positions.ts'

/** Fixes this long before and after a period decide about its first and last ones. */
const CONTEXT_SECONDS = 3600
/** More than the fixes of eight hours at 1 Hz. */
const MAX_FIXES = 30_000

const KEPT = markNumber('kept')

/**
 * Judges the fixes of a period (Unix seconds) again and updates their marks; fixes that a user kept stay as they are. With `only`, updates
 * only the fixes of these seconds. Returns how many changed.
 */
export async function markPeriod(
  tx: Tx,
  positions: PositionStore,
  { deviceId, first, last, only }: { deviceId: number; first: number; last: number; only?: ReadonlySet<number> },
) {
  const rows = await positions.rangeInTx(tx, deviceId, first - CONTEXT_SECONDS, last + CONTEXT_SECONDS, MAX_FIXES)
  const marks = rows.map((): number | null => null)
  const filter = createFilter()
  for (const { time, lat, lng, precision } of rows)
    for (const verdict of judgeFix(filter, { lat: fromFixed7(lat), lng: fromFixed7(lng), precision, datetime: time * 1000 }))
      for (let index = verdict.first; index <= verdict.last; index++)
        if (!isFinal(marks[index])) marks[index] = verdict.reason === null ? null : markNumber(verdict.reason)
  let changed = 0
  for (const [index, { time, mark }] of rows.entries()) {
    const isMeant = time >= first && time <= last && mark !== KEPT && (only?.has(time) ?? true)
    if (isMeant && mark !== marks[index] && (await positions.mark(tx, deviceId, time, marks[index] ?? null))) changed++
  }
  return changed
}

const isFinal = (mark: number | null | undefined) => mark === markNumber('zero') || mark === markNumber('vague')
