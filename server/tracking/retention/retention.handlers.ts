import type { retention as contract, Retention } from '#contracts/accounts/retention.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findRetention, saveRetention } from './retention.store.ts'

export const retention: Handlers<typeof contract> = {
  read: (_, context) => readRetention(context),
  async change({ body: { days } }, context) {
    const { db, clock, viewer } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const before = await findRetention(tx, viewer.accountId)
      if (before?.retentionDays === days) return
      const retentionDueAt = days === null ? null : new Date(clock.now().getTime() + DAY_MS)
      await saveRetention(tx, viewer.accountId, { retentionDays: days, retentionDueAt })
      await recordEvent(tx, context, { kind: 'retention_changed' })
    })
    return readRetention(context)
  },
}

async function readRetention({ db, viewer }: ViewerContext): Promise<Retention> {
  const row = await findRetention(db.read, viewer.accountId)
  if (!row) throw new Failure('not_authenticated')
  const { retentionDays, retentionDueAt, positionsRemovedBefore } = row
  return {
    days: retentionDays,
    next_removal: retentionDueAt && formatInstant(retentionDueAt),
    removed_before: positionsRemovedBefore && formatInstant(positionsRemovedBefore),
  }
}
