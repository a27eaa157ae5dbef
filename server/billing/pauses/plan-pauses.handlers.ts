import type { planPauses as contract, PlanPause } from '#contracts/billing/plan-pauses.ts'
import { formatReference } from '#contracts/rules/reading/text.ts'
import { findNextMove } from '#contracts/rules/subscription.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { findOwnTrackers } from '#server/billing/moves/plan-moves.store.ts'
import { withdrawRequest } from '#server/billing/moves/withdraw-request.ts'
import { getPayer } from '#server/billing/records/subscriptions.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findPausable, findPausedTogether, pausePlanIn, resumePlanIn } from './pause-plan.ts'
import { insertPauseRequest, listOpenPauseRequests, listOwnPauses, type PauseRequestRow } from './plan-pauses.store.ts'

/** From when the plan of a tracker can be paused without support; null for never. */
const findNext = async ({ pauseLimits: { perYear } }: ViewerContext, db: DbReader, tracker: number) =>
  findNextMove(await listOwnPauses(db, tracker, perYear), { perYear, days: 0 })

const presentRequest = ({ id, fromDeviceId, pauseUntil, createdAt }: PauseRequestRow) => ({
  reference: formatReference(id),
  tracker: fromDeviceId ?? 0,
  until: formatInstant(pauseUntil ?? createdAt),
  created_at: formatInstant(createdAt),
})

export const planPauses: Handlers<typeof contract> = {
  async read({ params: { tracker } }, context) {
    const { db, viewer, clock, pauseLimits } = context
    const now = clock.now()
    const device = (await findOwnTrackers(db.read, viewer.accountId, [tracker])).get(tracker)
    if (!device) throw new Failure('not_found')
    const [, ...others] = await findPausedTogether(db.read, device)
    const next = await findNext(context, db.read, tracker)
    const canPause = next !== null && next <= now
    const open = (await listOpenPauseRequests(db.read, viewer.accountId)).find(({ fromDeviceId }) => fromDeviceId === tracker)
    return {
      per_year: pauseLimits.perYear,
      max_days: pauseLimits.days,
      can_pause: canPause,
      next_at: next && !canPause ? formatInstant(next) : null,
      together: others.map((held) => held.device.id),
      request: open ? presentRequest(open) : null,
    }
  },
  pause: ({ body }, context) => pauseOwnPlan(context, body),
  resume: ({ body }, context) => resumeOwnPlan(context, body.tracker),
  ask: ({ body }, context) => askForPause(context, body),
  withdraw: ({ params }, context) => withdrawRequest(context, 'plan_pause', params.reference),
}

/** Pauses a plan at the request of its owner. Throws `pause_limit` when support has to decide, and as `findPausable` does. */
const pauseOwnPlan = (context: ViewerContext, pause: PlanPause) =>
  writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const { viewer, clock, pauseLimits } = context
    const now = clock.now()
    for (const { device } of await findPausable(tx, viewer.accountId, pause, now)) {
      const next = await findNext(context, tx, device.id)
      if (next === null || next > now) throw new Failure('pause_limit')
    }
    if (new Date(pause.until).getTime() > now.getTime() + pauseLimits.days * DAY_MS) throw new Failure('pause_limit')
    const { device, response } = await pausePlanIn(tx, context, viewer.accountId, { ...pause, isOwn: true })
    await recordEvent(tx, context, { kind: 'own_plan_paused', aboutId: device.id, about: device.name })
    return response
  })

const resumeOwnPlan = (context: ViewerContext, tracker: number) =>
  writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const { device, response } = await resumePlanIn(tx, context, context.viewer.accountId, tracker)
    await recordEvent(tx, context, { kind: 'own_plan_resumed', aboutId: device.id, about: device.name })
    return response
  })

/** Saves a request that support decides. Throws `request_pending` while one about this plan is open, and as `findPausable` does. */
const askForPause = (context: ViewerContext, { message, ...pause }: PlanPause & { message: string }) =>
  writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
    const { viewer, clock } = context
    const createdAt = clock.now()
    const [{ device }] = await findPausable(tx, viewer.accountId, pause, createdAt)
    const open = await listOpenPauseRequests(tx, viewer.accountId)
    if (open.some(({ fromDeviceId }) => fromDeviceId === device.id)) throw new Failure('request_pending')
    const { email } = await getPayer(tx, viewer)
    const asked = { userId: viewer.userId, email, message, fromDeviceId: device.id, pauseUntil: new Date(pause.until), createdAt }
    return presentRequest(await insertPauseRequest(tx, asked))
  })
