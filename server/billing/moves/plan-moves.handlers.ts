import type { planMoves as contract, PlanMove } from '#contracts/billing/plan-moves.ts'
import { formatReference } from '#contracts/rules/reading/text.ts'
import { findNextMove } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { getPayer } from '#server/billing/records/subscriptions.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findMovable, movePlanIn } from './move-plan.ts'
import { insertMoveRequest, listOpenMoveRequests, listOwnMoves, type MoveRequestRow } from './plan-moves.store.ts'
import { withdrawRequest } from './withdraw-request.ts'

/** From when the next plan can be moved without support; null for never. */
const findNext = async ({ moveLimits }: ViewerContext, db: DbReader, accountId: number) =>
  findNextMove(await listOwnMoves(db, accountId, moveLimits.perYear), moveLimits)

const presentRequest = ({ id, fromDeviceId, toDeviceId, createdAt }: MoveRequestRow) => ({
  reference: formatReference(id),
  from: fromDeviceId ?? 0,
  to: toDeviceId ?? 0,
  created_at: formatInstant(createdAt),
})

export const planMoves: Handlers<typeof contract> = {
  async read(_, context) {
    const { db, viewer, clock, moveLimits } = context
    const next = await findNext(context, db.read, viewer.accountId)
    const canMove = next !== null && next <= clock.now()
    return {
      can_move: canMove,
      next_at: next && !canMove ? formatInstant(next) : null,
      per_year: moveLimits.perYear,
      days_between: moveLimits.days,
      requests: (await listOpenMoveRequests(db.read, viewer.accountId)).map(presentRequest),
    }
  },
  move: ({ body }, context) => moveOwnPlan(context, body),
  ask: ({ body }, context) => askForMove(context, body),
  withdraw: ({ params }, context) => withdrawRequest(context, 'plan_move', params.reference),
}

/** Moves a plan at the request of its owner, who gets a mail. Throws `move_limit` when support has to decide, and as `findMovable` does. */
const moveOwnPlan = (context: ViewerContext, move: PlanMove) =>
  writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const { accountId } = context.viewer
    const next = await findNext(context, tx, accountId)
    if (next === null || next > context.clock.now()) throw new Failure('move_limit')
    const { from, to, response } = await movePlanIn(tx, context, accountId, { ...move, isOwn: true })
    await recordEvent(tx, context, { kind: 'own_plan_moved', aboutId: to.id, about: `${from.name} → ${to.name}` })
    return response
  })

/** Saves a request that support decides. Throws `request_pending` while one about this plan is open, and as `findMovable` does. */
const askForMove = (context: ViewerContext, { message, ...move }: PlanMove & { message: string }) =>
  writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const { viewer, clock } = context
    const { from, to } = await findMovable(tx, viewer.accountId, move, clock.now())
    const open = await listOpenMoveRequests(tx, viewer.accountId)
    if (open.some(({ fromDeviceId }) => fromDeviceId === from.id)) throw new Failure('request_pending')
    const { email } = await getPayer(tx, viewer)
    const trackers = { fromDeviceId: from.id, toDeviceId: to.id }
    return presentRequest(await insertMoveRequest(tx, { ...trackers, userId: viewer.userId, email, message, createdAt: clock.now() }))
  })
