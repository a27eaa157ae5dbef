import { DAY_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { PositionStore } from '#db/positions.ts'
import { findRemovalLag } from '#server/clock/clock-marks.store.ts'
import {
  findNextRemoval,
  findRetention,
  listAccountsDue,
  listTrackers,
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
    (await listAccountsDue(db, by)).map((accountId) => ({
      ref: `accounts/${accountId}`,
      lock: [`account:${accountId}`] as const,
      async run(tx: Tx, now: Date, positions: PositionStore) {
        const account = await findRetention(tx, accountId)
        if (!account?.retentionDays || !account.retentionDueAt || account.retentionDueAt > now) return false
        const until = new Date(now.getTime() - account.retentionDays * DAY_MS - (await findRemovalLag(tx)))
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

const later = (a: Date, b: Date | null) => (b && b > a ? b : a)
