import type { PlanMove } from '#contracts/billing/plan-moves.ts'
import { addMonths, currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { queueDescription } from '#server/billing/records/payment-tasks.store.ts'
import { activateDevice, addSubscription, findSubscription, withoutRenewal } from '#server/billing/records/subscriptions.store.ts'
import { Failure } from '#server/lib/errors.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { isRunning } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { findIncludedMonths, takeIncludedMonths } from '#server/stock/included-months.ts'
import { endSubscription, markCollarWorn, moveSubscription } from './move-plan.store.ts'
import { findOwnTrackers, insertPlanMove } from './plan-moves.store.ts'

export type MovePorts = Pick<World, 'clock' | 'claims'>

/**
 * Throws `subscription_required` unless the first tracker has a running plan, `already_active` when the other one has its own, and
 * `device_linked_to_pro` and `plan_paused`. A plan may move between any two trackers of an account otherwise, also of different types.
 */
async function requireMovable(tx: Tx, from: DeviceRow, to: DeviceRow, now: Date) {
  if (from.id === to.id) throw new Failure('no_change')
  if (from.isLinkedToPro || to.isLinkedToPro) throw new Failure('device_linked_to_pro')
  const stateOf = ({ subState, subEndDate }: DeviceRow) => currentSubState(subState, subEndDate, now)
  if (stateOf(from) !== 'active') throw new Failure('subscription_required')
  if (isPaused(from, now)) throw new Failure('plan_paused')
  const other = await findSubscription(tx, to.id)
  if (stateOf(to) === 'active' || (other?.providerId && isRunning(other.status))) throw new Failure('already_active')
}

/** Months that come with a tracker which was never activated, so that they are not lost. */
async function takeUnusedMonths(tx: Tx, { clock, claims }: MovePorts, to: DeviceRow) {
  const now = clock.now()
  if (currentSubState(to.subState, to.subEndDate, now) !== 'not_activated') return 0
  const key = to.identifier ?? `device:${to.id}`
  const bought = await findSubscription(tx, to.id)
  const included = await takeIncludedMonths(tx, { key, months: await findIncludedMonths(tx, key, claims), now })
  return bought?.months ? bought.months + bought.extra : included
}

/** The trackers of a move. Throws `not_found` for one that the account does not have, and as `requireMovable` does. */
export async function findMovable(tx: Tx, accountId: number, move: PlanMove, now: Date) {
  const own = await findOwnTrackers(tx, accountId, [move.from, move.to])
  const [from, to] = [own.get(move.from), own.get(move.to)]
  if (!from || !to) throw new Failure('not_found')
  await requireMovable(tx, from, to, now)
  return { from, to }
}

/** Moves the plan in a transaction, and mails the owner. `isOwn`: at the request of the owner, without support. Throws as `findMovable` does. */
export async function movePlanIn(tx: Tx, ports: MovePorts, accountId: number, { isOwn, ...move }: PlanMove & { isOwn: boolean }) {
  const now = ports.clock.now()
  const { from, to } = await findMovable(tx, accountId, move, now)
  const months = await takeUnusedMonths(tx, ports, to)
  const endsAt = from.subEndDate && addMonths(from.subEndDate, months)
  const held = await findSubscription(tx, from.id)
  if (held) await moveSubscription(tx, held, { deviceId: to.id, accountId, endsAt, now })
  else await addSubscription(tx, { ...withoutRenewal, deviceId: to.id, months, extra: 0, endsAt, options: [], startedAt: now })
  await endSubscription(tx, from.id, now)
  await activateDevice(tx, to.id, endsAt)
  if (to.type === 'tracker_06') await markCollarWorn(tx, to, now)
  await insertPlanMove(tx, { accountId, fromDeviceId: from.id, toDeviceId: to.id, isOwn, movedAt: now })
  if (held?.providerId) await queueDescription(tx, accountId, now)
  touch(tx, from)
  touch(tx, to)
  const owner = await findAccountOwner(tx, accountId)
  const data = { from: from.name, to: to.name, device: String(to.id), ...(endsAt && { datetime: formatInstant(endsAt) }) }
  if (owner) await queueMail(tx, { to: owner.email, template: 'plan_moved', ...recipientColumns(owner), data, now })
  return { from, to, response: { tracker: to.id, sub_end_date: endsAt && formatInstant(endsAt) } }
}
