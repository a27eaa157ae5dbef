import { RETENTION_DAYS } from '#contracts/accounts/retention.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { DbReader, MonthRemoval, Tx } from '#db/db.ts'
import type { PositionStore } from '#db/positions.ts'
import { findRemovalLag } from '#server/clock/clock-marks.store.ts'

import { count } from '#server/lib/counts.ts'
import type { World } from '#server/ports/world.ts'
import {
  findNextRemoval,
  findRetention,
  listAccountsDue,
  listRetentions,
  listTrackers,
  type RetentionRow,
  removeEvents,
  removePlacesOfFirings,
  saveRetention,
} from './retention.store.ts'

/** Positions per transaction, which blocks other writers for some milliseconds; the next run continues. */
const AT_ONCE = 20_000

/** Removes the positions of accounts that exceed the owners' retention setting, once a day. */
export const removeOldPositions = {
  name: 'remove_old_positions',
  next: findNextRemoval,
  due: async (db: DbReader, by: Date) =>
    (await listAccountsDue(db, by)).map((accountId, nth) => ({
      ref: `accounts/${accountId}`,
      lock: [`account:${accountId}`] as const,
      // Rows of a month that is removed as a whole need not be deleted one by one.
      ...(nth === 0 && { prepare: removeWholeMonths }),
      async run(tx: Tx, now: Date, positions: PositionStore) {
        const account = await findRetention(tx, accountId)
        if (!account?.retentionDays || !account.retentionDueAt || account.retentionDueAt > now) return false
        const until = subtractDays(now, account.retentionDays, await findRemovalLag(tx))
        const positionsRemovedBefore = later(until, account.positionsRemovedBefore)
        let left = AT_ONCE
        for (const id of await listTrackers(tx, accountId)) {
          left -= await positions.removeUntil(tx, id, Math.floor(until.getTime() / 1000), left)
          await removeEvents(tx, id, until)
          await removePlacesOfFirings(tx, id, until)
          if (left <= 0) break
        }
        await saveRetention(tx, accountId, {
          positionsRemovedBefore,
          ...(left > 0 && { retentionDueAt: new Date(now.getTime() + DAY_MS) }),
        })
        return true
      },
    })),
}

/** Removes the months that are past the retention of all accounts with positions there. If that fails, the rows are deleted as before. */
async function removeWholeMonths({ db, log }: Pick<World, 'db' | 'log'>, now: Date) {
  try {
    const lag = await findRemovalLag(db.read)
    const listNeeding: MonthRemoval['listNeeding'] = async (reader, deviceIds, before) =>
      (await listRetentions(reader, deviceIds)).filter((account) => !isRemoved(account, before, now, lag)).map(({ deviceId }) => deviceId)
    const removed = await db.removeMonths?.({ endedBy: subtractDays(now, Math.min(...RETENTION_DAYS), lag), listNeeding })
    if (removed) log.info({ removed }, 'months of positions were removed')
  } catch (error) {
    count(db, 'job_failures_total', { work: 'remove_months' })
    log.error({ err: error }, 'removing months of positions failed')
  }
}

/**
 * Whether the retention of an account allows no position of before an instant. An account that is not due follows what its last removal has
 * already removed, because the first removal after a choice is a day later.
 */
function isRemoved({ retentionDays, retentionDueAt, positionsRemovedBefore }: RetentionRow, before: Date, now: Date, lag: number) {
  if (!retentionDays || !retentionDueAt || subtractDays(now, retentionDays, lag) < before) return false
  return retentionDueAt <= now || (positionsRemovedBefore !== null && positionsRemovedBefore >= before)
}

const subtractDays = (now: Date, days: number, lag: number) => new Date(now.getTime() - days * DAY_MS - lag)

const later = (a: Date, b: Date | null) => (b && b > a ? b : a)
