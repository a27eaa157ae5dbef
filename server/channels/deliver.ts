import { FAILING_DAYS } from '#contracts/accounts/channels.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { count } from '#server/lib/counts.ts'
import { open } from '#server/lib/secrets.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { ReceiverResult, Receivers } from '#server/ports/receivers.ts'
import type { World } from '#server/ports/world.ts'
import { buildRequest } from './channel-requests.ts'
import {
  type ChannelRow,
  claimDeliveries,
  type DueDelivery,
  endWaiting,
  stopUnlessStopped,
  updateChannel,
  updateDelivery,
} from './channels.store.ts'

export type ChannelWorld = Pick<World, 'id' | 'db' | 'clock' | 'log' | 'origin' | 'productName' | 'secondFactor'> & { receivers: Receivers }

/** Pauses between attempts; after the last one, about a day after the first, a delivery is given up. */
const PAUSES_MS = [15_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]
/** A person learns of an alert in time or not at all: messages that are this old are not sent any more. Webhooks have no such limit. */
const LIFE_MS = 6 * HOUR_MS
/** Another server sends a delivery after this time if its sender was killed: longer than a request can take. */
const CLAIM_MS = MINUTE_MS
const GONE = 410

export const secretOwner = (userId: number) => `channel/${userId}`

/** Reserves deliveries for this process; resolves to those that no other process claimed first. */
export async function claimDue({ db }: Pick<World, 'db'>, listed: DueDelivery[], now: Date): Promise<DueDelivery[]> {
  const ids = listed.map(({ delivery }) => delivery.id)
  const until = new Date(now.getTime() + CLAIM_MS)
  const claimed = new Map((await db.write([], (tx) => claimDeliveries(tx, ids, { now, until }))).map((row) => [row.id, row]))
  return listed.flatMap((due) => {
    const delivery = claimed.get(due.delivery.id)
    return delivery ? [{ ...due, delivery }] : []
  })
}

export type DeliveryOutcome = { due: DueDelivery; at: Date; result: ReceiverResult | 'late' }

/** Sends one claimed delivery; never rejects. */
export async function sendDelivery(world: ChannelWorld, due: DueDelivery, at: Date, signal: AbortSignal): Promise<DeliveryOutcome> {
  const { delivery, channel, user } = due
  const { createdAt, isUrgent, content } = delivery
  if (isLate(due, at)) return { due, at, result: 'late' }
  const secret = channel.secret && openSecret(world, channel, channel.secret)
  if (secret === undefined) return { due, at, result: { failure: { reason: 'not_allowed', status: null }, retryAfterMs: null } }
  const { id: worldId, origin, productName } = world
  const id = `${worldId}-${delivery.id}-${createdAt.getTime()}`
  const { language, timeZone } = user
  const message = { id, content, isUrgent, createdAt, now: at, language, timeZone, origin, productName }
  const request = buildRequest({ ...channel, secret }, message)
  const result = await world.receivers.post(request, signal)
  count(world.db, 'channel_deliveries_total', { outcome: result.failure ? 'failed' : 'sent' })
  return { due, at, result }
}

const isLate = ({ delivery, channel }: DueDelivery, at: Date) =>
  channel.kind !== 'webhook' && delivery.attempts > 1 && at.getTime() - delivery.createdAt.getTime() > LIFE_MS

/** Undefined for a secret that was encrypted with another key. */
function openSecret({ secondFactor: { key } }: Pick<World, 'secondFactor'>, { userId }: ChannelRow, sealed: string) {
  try {
    return open(sealed, { key, owner: secretOwner(userId) })
  } catch {
    return undefined
  }
}

/** Records what became of a delivery: it has ended, or is tried again later. A channel that only fails, or is gone, is stopped. */
export async function recordOutcome(tx: Tx, { due, at, result }: DeliveryOutcome) {
  const { delivery, channel } = due
  if (result === 'late') return void (await updateDelivery(tx, delivery, { endedAt: at }))
  if (!result.failure) {
    await updateDelivery(tx, delivery, { endedAt: at, failure: null })
    await updateChannel(tx, channel.id, { lastAt: at, lastFailure: null, failingSince: null })
    return
  }
  const { failure, retryAfterMs } = result
  const pause = PAUSES_MS[delivery.attempts - 1]
  const isGone = failure.status === GONE
  const failingSince = channel.failingSince ?? at
  const mustStop = isGone || at.getTime() - failingSince.getTime() >= FAILING_DAYS * DAY_MS
  const isGivenUp = mustStop || pause === undefined
  const next = isGivenUp
    ? { endedAt: at }
    : { nextAttemptAt: new Date(at.getTime() + Math.max(pause, Math.min(retryAfterMs ?? 0, HOUR_MS))) }
  await updateDelivery(tx, delivery, { ...next, failure })
  await updateChannel(tx, channel.id, { failingSince, ...(isGivenUp && { lastAt: at, lastFailure: failure }) })
  if (mustStop && channel.verifiedAt) await stopChannel(tx, due, isGone ? 'gone' : 'failing', at)
}

async function stopChannel(tx: Tx, { channel: { id, label }, user }: DueDelivery, reason: 'gone' | 'failing', at: Date) {
  // Of several outcomes that arrive together only the first one stops it.
  if (!(await stopUnlessStopped(tx, id, { stoppedAt: at, stopReason: reason }))) return
  await endWaiting(tx, id, at)
  await queueMail(tx, { to: user.email, template: 'channel_stopped', ...recipientColumns(user), data: { label, reason }, now: at })
}
