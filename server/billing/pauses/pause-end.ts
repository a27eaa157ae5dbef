import type { DbReader, Tx } from '#db/db.ts'
import { endOverPauses } from './pause-plan.ts'
import { findNextPauseEnd, listAccountsWithEndedPause, listEndedPauses } from './plan-pauses.store.ts'

/**
 * Mails an owner whose paused plans go on, in one mail for all that end by then. They go on at the day itself, also when this runs later:
 * whether a plan is paused is computed.
 */
export const pauseEnd = {
  name: 'pause_end',
  next: findNextPauseEnd,
  due: async (db: DbReader, by: Date) =>
    (await listAccountsWithEndedPause(db, by)).map((accountId) => ({
      ref: `accounts/${accountId}`,
      lock: [`account:${accountId}`] as const,
      async run(tx: Tx, now: Date) {
        const pauses = await listEndedPauses(tx, accountId, now)
        if (pauses.length === 0) return false
        await endOverPauses(tx, accountId, pauses, now)
        return true
      },
    })),
}
