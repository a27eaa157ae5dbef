import { MAX_PAUSE_DAYS, type PlanPause } from '#contracts/billing/plan-pauses.ts'
import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { findOwnTrackers } from '#server/billing/moves/plan-moves.store.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { setNewestEnd, updateSubscription } from '#server/billing/records/payments.store.ts'
import { activateDevice, findSubscription, type SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { requireNotLostOrStolen } from '#server/lib/lost-and-stolen.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { isRunning } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { endPauses, insertPlanPauses, listOpenPauses, listRenewedTogether, setPause } from './plan-pauses.store.ts'

type Ports = Pick<World, 'clock'>

/** A tracker with its plan. */
type Held = { device: DeviceRow; subscription: SubscriptionRow | undefined }

/** A renewal that begins sooner may be charged before Stripe knows of the pause. */
const LEAST_BEFORE_RENEWAL_MS = HOUR_MS

/** The tracker, followed by those that the same payment renews: a renewal at Stripe is paused as a whole. */
export async function findPausedTogether(db: DbReader, device: DeviceRow): Promise<[Held, ...Held[]]> {
  const subscription = await findSubscription(db, device.id)
  const providerId = subscription?.providerId
  if (!providerId || !isRunning(subscription.status)) return [{ device, subscription }]
  const renewed = await listRenewedTogether(db, device.accountId, providerId)
  return [{ device, subscription }, ...renewed.filter((each) => each.device.id !== device.id)]
}

async function requirePausable(tx: Tx, { device, subscription }: Held, now: Date) {
  if (device.isLinkedToPro) throw new Failure('device_linked_to_pro')
  if (currentSubState(device.subState, device.subEndDate, now) !== 'active') throw new Failure('subscription_required')
  if (isPaused(device, now)) throw new Failure('no_change')
  await requireNotLostOrStolen(tx, device)
  if (device.subEndDate === null) throw new Failure('not_pausable')
  if (!subscription?.providerId || !isRunning(subscription.status)) return
  const renewsAt = subscription.renewsAt ?? device.subEndDate
  const isDue = renewsAt.getTime() < now.getTime() + LEAST_BEFORE_RENEWAL_MS
  if (isDue || subscription.heldUntil || subscription.status === 'past_due') throw new Failure('not_pausable')
}

/**
 * The trackers of a pause. Throws `not_found` for a tracker that the account does not have, `validation_error` for a day that is not within
 * the next year, and `not_pausable`, `no_change`, `subscription_required`, `reported_missing` or `device_linked_to_pro`.
 */
export async function findPausable(tx: Tx, accountId: number, { tracker, until }: PlanPause, now: Date): Promise<[Held, ...Held[]]> {
  const device = (await findOwnTrackers(tx, accountId, [tracker])).get(tracker)
  if (!device) throw new Failure('not_found')
  const length = new Date(until).getTime() - now.getTime()
  if (!(length > 0 && length <= MAX_PAUSE_DAYS * DAY_MS)) throw invalidField('until', `a time within the next ${MAX_PAUSE_DAYS} days`)
  const together = await findPausedTogether(tx, device)
  for (const held of together) await requirePausable(tx, held, now)
  return together
}

/** Moves end and renewal of a plan. It never ends in the past. */
async function moveEnd(tx: Tx, { device, subscription }: Held, ms: number, now: Date): Promise<Date | null> {
  if (device.subEndDate === null) return null
  const end = new Date(Math.max(device.subEndDate.getTime() + ms, now.getTime()))
  await activateDevice(tx, device.id, end)
  await setNewestEnd(tx, device.id, end)
  if (subscription?.renewsAt) await updateSubscription(tx, subscription.id, { renewsAt: new Date(subscription.renewsAt.getTime() + ms) })
  return end
}

const presentPaused = (device: DeviceRow, end: Date | null) => ({ tracker: device.id, sub_end_date: end && formatInstant(end) })

async function mailOwner(tx: Tx, template: 'plan_paused' | 'plan_resumed', { held, ends, until, now }: Letter) {
  const owner = await findAccountOwner(tx, held[0]!.accountId)
  const end = ends[0]
  const data = {
    tracker: held.map(({ name }) => name).join(', '),
    device: String(held[0]!.id),
    ...(end && { datetime: formatInstant(end) }),
    ...(until && { until: formatInstant(until) }),
  }
  if (owner) await queueMail(tx, { to: owner.email, template, ...recipientColumns(owner), data, now })
}
type Letter = { held: readonly DeviceRow[]; ends: readonly (Date | null)[]; until?: Date; now: Date }

/**
 * Pauses a plan in a transaction, and mails the owner. `isOwn`: at the request of the owner, without support. A task pauses the renewal at
 * Stripe. Throws as `findPausable` does.
 */
export async function pausePlanIn(tx: Tx, { clock }: Ports, accountId: number, { isOwn, ...pause }: PlanPause & { isOwn: boolean }) {
  const now = clock.now()
  const until = new Date(pause.until)
  const together = await findPausable(tx, accountId, pause, now)
  const [{ subscription, device: first }] = together
  const providerId = subscription && isRunning(subscription.status) ? subscription.providerId : null
  const ends: (Date | null)[] = []
  for (const held of together) {
    ends.push(await moveEnd(tx, held, until.getTime() - now.getTime(), now))
    await setPause(tx, held.device.id, { from: now, until })
    touch(tx, held.device)
  }
  const held = together.map(({ device }) => device)
  await insertPlanPauses(
    tx,
    held.map(({ id }) => ({ accountId, deviceId: id, providerId, isOwn, startedAt: now, until })),
  )
  if (providerId) await queueTasks(tx, [{ kind: 'pause', ref: providerId }], now)
  await mailOwner(tx, 'plan_paused', { held, ends, until, now })
  return { device: first, until, response: held.map((device, index) => presentPaused(device, ends[index] ?? null)) }
}

/**
 * Ends a pause before its day, and mails the owner. Throws `not_found` for a tracker that the account does not have, and `no_change` for one
 * that is not paused.
 */
export async function resumePlanIn(tx: Tx, { clock }: Ports, accountId: number, tracker: number) {
  const now = clock.now()
  const device = (await findOwnTrackers(tx, accountId, [tracker])).get(tracker)
  if (!device) throw new Failure('not_found')
  const open = await listOpenPauses(tx, accountId)
  const own = open.find(({ deviceId }) => deviceId === tracker)
  if (!own || !isPaused(device, now)) throw new Failure('no_change')
  const pauses = open.filter((each) => each === own || (own.providerId !== null && isOfSame(each, own)))
  const trackers = await findOwnTrackers(
    tx,
    accountId,
    pauses.map(({ deviceId }) => deviceId),
  )
  const held = [...trackers.values()].toSorted((a, b) => Number(b.id === tracker) - Number(a.id === tracker) || a.id - b.id)
  const ends: (Date | null)[] = []
  for (const each of held) {
    const subscription = await findSubscription(tx, each.id)
    ends.push(await moveEnd(tx, { device: each, subscription }, now.getTime() - own.until.getTime(), now))
    await setPause(tx, each.id, null)
    touch(tx, each)
  }
  await endPauses(
    tx,
    pauses.map(({ id }) => id),
    now,
  )
  if (own.providerId) await queueTasks(tx, [{ kind: 'pause', ref: own.providerId }], now)
  await mailOwner(tx, 'plan_resumed', { held, ends, now })
  return { device, response: held.map((each, index) => presentPaused(each, ends[index] ?? null)) }
}

type Pause = { providerId: string | null; startedAt: Date }
const isOfSame = (one: Pause, other: Pause) => one.providerId === other.providerId && one.startedAt.getTime() === other.startedAt.getTime()

/** Records that pauses of an account are over, and mails the owner. A tracker that was removed is not named. */
export async function endOverPauses(tx: Tx, accountId: number, pauses: Awaited<ReturnType<typeof listOpenPauses>>, now: Date) {
  const trackers = await findOwnTrackers(
    tx,
    accountId,
    pauses.map(({ deviceId }) => deviceId),
  )
  for (const { id, until } of pauses) await endPauses(tx, [id], until)
  const held = [...trackers.values()].filter(({ pausedUntil }) => pausedUntil !== null && pausedUntil <= now)
  for (const device of held) {
    await setPause(tx, device.id, null)
    touch(tx, device)
  }
  const ends = held.map(({ subEndDate }) => subEndDate)
  if (held.length > 0) await mailOwner(tx, 'plan_resumed', { held, ends, now })
}
