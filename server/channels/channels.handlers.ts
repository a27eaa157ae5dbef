import {
  CHANNEL_CODE,
  type Channel,
  type ChannelDelivery,
  type channels as contract,
  MAX_CHANNELS,
  type NewChannel,
} from '#contracts/accounts/channels.ts'
import { formatInstant, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { FiringKind } from '#contracts/rules/tracking/rules/firing-kinds.ts'
import type { Tx } from '#db/db.ts'
import { findLanguage } from '#db/people.ts'
import type { Viewer } from '#db/scope.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { isSameSecret, seal, sha256 } from '#server/lib/secrets.ts'
import type { Receivers } from '#server/ports/receivers.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { titleOf } from './channel-requests.ts'
import {
  type ChannelRow,
  countTests,
  countVisibleDevices,
  type DeliveryRow,
  deleteChannel,
  endWaiting,
  findChannel,
  insertChannel,
  listChannelDevices,
  listChannels,
  listDeliveries,
  queueDelivery,
  saveChannelDevices,
  updateChannel,
} from './channels.store.ts'
import { secretOwner } from './deliver.ts'

/** Codes and tests per user and hour, so that nobody uses the portal to flood others. */
const TESTS_PER_HOUR = 20
const SHOWN_DELIVERIES = 50
const IV_HEX_DIGITS = 24

export const channels: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    const named = await listChannelDevices(db.read, viewer.userId)
    return (await listChannels(db.read, viewer.userId)).map((row) => presentChannel(row, named))
  },

  async create({ body }, context) {
    const { db, clock, ids, viewer, secondFactor } = context
    const receivers = getReceivers(context)
    const { target, secret } = readTarget(body, receivers, ids.token())
    const { kind, label } = body
    const { userId } = viewer
    const sealed = secret && seal(secret, { key: secondFactor.key, owner: secretOwner(userId), iv: ids.token().slice(0, IV_HEX_DIGITS) })
    const row = await db.write([`account:${viewer.accountId}`], async (tx) => {
      const limit = MAX_CHANNELS
      if ((await listChannels(tx, userId)).length >= limit) throw new Failure('limit_reached', { of: 'channels', limit })
      const devices = await readDevices(tx, viewer, body.devices)
      const kinds = listKinds(body.kinds)
      const channel = await insertChannel(tx, { userId, kind, label, target, secret: sealed, createdAt: clock.now(), kinds })
      if (devices) await saveChannelDevices(tx, channel.id, devices)
      await recordEvent(tx, context, { kind: 'channel_added', userId, about: label })
      return sendCode(tx, context, channel)
    })
    await receivers.wake?.()
    return { ...(await readChannel(context, row.id)), secret: kind === 'webhook' ? secret : null }
  },

  async verify({ params: { id }, body: { code } }, context) {
    const { db, clock, viewer } = context
    // The count of wrong codes is saved, so the failure is thrown after the transaction.
    const failure = await db.write([`account:${viewer.accountId}`], async (tx) => {
      const channel = await getChannel(tx, context, id)
      if (channel.verifiedAt) return
      const { codeHash, codeAt, codeTries } = channel
      const isOver = !codeHash || !codeAt || clock.now().getTime() - codeAt.getTime() > CHANNEL_CODE.minutes * MINUTE_MS
      if (isOver || codeTries >= CHANNEL_CODE.tries) return 'expired'
      const isRight = isSameSecret(sha256(code), codeHash)
      await updateChannel(tx, id, isRight ? { verifiedAt: clock.now(), codeHash: null } : { codeTries: codeTries + 1 })
      return isRight ? undefined : 'invalid_code'
    })
    if (failure) throw new Failure(failure)
    return readChannel(context, id)
  },

  async test({ params: { id } }, context) {
    const { db, clock, viewer } = context
    const receivers = getReceivers(context)
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const channel = await getChannel(tx, context, id)
      if ((await countTests(tx, viewer.userId, new Date(clock.now().getTime() - HOUR_MS))) >= TESTS_PER_HOUR) throw new Failure('throttled')
      if (channel.verifiedAt) await queueDelivery(tx, { channelId: id, content: { type: 'test' }, isUrgent: true, at: clock.now() })
      else await sendCode(tx, context, channel)
    })
    await receivers.wake?.()
    return readChannel(context, id)
  },

  async change({ params: { id }, body: { label, on, devices: named, kinds } }, context) {
    const { db, clock, viewer } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const { stoppedAt } = await getChannel(tx, context, id)
      if (named !== undefined) await saveChannelDevices(tx, id, await readDevices(tx, viewer, named))
      await updateChannel(tx, id, {
        ...(label !== undefined && { label }),
        ...(kinds !== undefined && { kinds: listKinds(kinds) }),
        ...(on === true && { stoppedAt: null, stopReason: null, failingSince: null }),
        ...(on === false && !stoppedAt && { stoppedAt: clock.now(), stopReason: 'user' as const }),
        // A statement needs a column.
        ...(on === undefined && { stoppedAt }),
      })
      if (on === false) await endWaiting(tx, id, clock.now())
    })
    return readChannel(context, id)
  },

  async remove({ params: { id } }, context) {
    const { db, viewer } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const { label } = await getChannel(tx, context, id)
      await deleteChannel(tx, id)
      await recordEvent(tx, context, { kind: 'channel_removed', userId: viewer.userId, about: label })
    })
    return { id }
  },

  async deliveries({ params: { id } }, context) {
    const { db, viewer, productName } = context
    await getChannel(db.read, context, id)
    const language = await findLanguage(db.read, viewer.userId)
    const rows = await listDeliveries(db.read, id, SHOWN_DELIVERIES)
    return rows.map((row) => presentDelivery(row, titleOf({ content: hideCode(row.content), language, productName })))
  },
}

/** Anybody with the session could start a channel with the code, which only its receiver should see. */
const hideCode = (content: DeliveryRow['content']) => (content.type === 'code' ? ({ type: 'code', code: '······' } as const) : content)

function getReceivers({ receivers }: ViewerContext): Receivers {
  if (!receivers) throw new Failure('unavailable')
  return receivers
}

async function getChannel(db: Parameters<typeof findChannel>[0], { viewer }: ViewerContext, id: number) {
  const channel = await findChannel(db, viewer.userId, id)
  if (!channel) throw new Failure('not_found')
  return channel
}

async function readChannel(context: ViewerContext, id: number) {
  const { db, viewer } = context
  return presentChannel(await getChannel(db.read, context, id), await listChannelDevices(db.read, viewer.userId, id))
}

/** The trackers that a channel is to name, null for all; throws for one that the user does not see. */
async function readDevices(tx: Tx, viewer: Viewer, named: number[] | null | undefined) {
  if (!named) return null
  const ids = [...new Set(named)]
  if ((await countVisibleDevices(tx, viewer, ids)) < ids.length) throw invalidField('devices', 'Names a tracker that is not yours')
  return ids
}

const listKinds = (kinds: FiringKind[] | null | undefined) => (kinds ? [...new Set(kinds)] : null)

/** What a new channel is sent to, and its secret. Throws for a field that its kind needs or does not allow. */
function readTarget({ kind, url, token, chat }: NewChannel, receivers: Receivers, random: string) {
  if (kind === 'telegram') {
    if (!token || !/^\d{3,20}:[\w-]{20,100}$/.test(token)) throw invalidField('token', 'Is not the token of a bot')
    if (!chat) throw invalidField('chat', 'Is required')
    return { target: chat, secret: token }
  }
  if (!url) throw invalidField('url', 'Is required')
  if (!receivers.isAllowed(url)) throw invalidField('url', 'Must be a public address that begins with https://')
  if (kind === 'webhook') return { target: url, secret: `whsec_${Buffer.from(random, 'hex').toString('base64')}` }
  const { pathname, search, hash } = new URL(url)
  if (!/^\/[\w-]{1,64}$/.test(pathname) || search || hash)
    throw invalidField('url', 'Must be the address of one topic, such as https://ntfy.sh/my-topic')
  return { target: url, secret: token ?? null }
}

/** Sends a new code, in place of an earlier one. */
async function sendCode(tx: Tx, { clock, ids }: ViewerContext, { id }: ChannelRow) {
  const code = String(Number.parseInt(ids.token().slice(0, 12), 16) % 1_000_000).padStart(6, '0')
  const at = clock.now()
  await endWaiting(tx, id, at)
  await queueDelivery(tx, { channelId: id, content: { type: 'code', code }, isUrgent: true, at })
  return updateChannel(tx, id, { codeHash: sha256(code), codeAt: at, codeTries: 0 })
}

const orNull = (instant: Date | null) => instant && formatInstant(instant)

const presentChannel = (row: ChannelRow, named: readonly { channelId: number; deviceId: number }[]): Channel => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  target: row.target,
  created_at: formatInstant(row.createdAt),
  verified_at: orNull(row.verifiedAt),
  stopped: row.stoppedAt && row.stopReason ? { at: formatInstant(row.stoppedAt), reason: row.stopReason } : null,
  last: row.lastAt ? { at: formatInstant(row.lastAt), failure: row.lastFailure } : null,
  failing_since: orNull(row.failingSince),
  devices: row.isForAllDevices ? null : named.filter(({ channelId }) => channelId === row.id).map(({ deviceId }) => deviceId),
  kinds: row.kinds,
})

const presentDelivery = (
  { id, type, createdAt, attempts, nextAttemptAt, endedAt, failure }: DeliveryRow,
  title: string,
): ChannelDelivery => ({
  id,
  type,
  title,
  created_at: formatInstant(createdAt),
  attempts,
  next_at: endedAt ? null : formatInstant(nextAttemptAt),
  ended_at: orNull(endedAt),
  failure,
})
