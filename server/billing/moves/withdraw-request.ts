import { parseReference } from '#contracts/rules/reading/text.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findRequestStatus, markWithdrawn } from './plan-moves.store.ts'

/** Withdraws a request of the account about a plan. Throws `not_found`, and `already_decided` when support was faster or it is withdrawn. */
export const withdrawRequest = ({ db, viewer, clock }: ViewerContext, kind: 'plan_move' | 'plan_pause', reference: string) =>
  db.write([`account:${viewer.accountId}`], async (tx) => {
    const id = parseReference(reference)
    const status = await findRequestStatus(tx, { id, kind, accountId: viewer.accountId })
    if (!status) throw new Failure('not_found')
    if (status !== 'pending') throw new Failure('already_decided')
    await markWithdrawn(tx, id, clock.now())
    return { reference }
  })
