import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { quietColumns } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { channelDeliveries, channelDevices, channels, type DeliveryContent } from '#db/schema/messages.ts'
import { type DeviceRow, devicesOf, seesTrackers, type Viewer } from '#db/scope.ts'

export type ChannelRow = typeof channels.$inferSelect
export type DeliveryRow = typeof channelDeliveries.$inferSelect

/** The trackers of a user's channels that name some, optionally only of one channel. */
export const listChannelDevices = (db: DbReader, userId: number, id?: number) =>
  db
    .select({ channelId: channelDevices.channelId, deviceId: channelDevices.deviceId })
    .from(channelDevices)
    .innerJoin(channels, eq(channels.id, channelDevices.channelId))
    .where(and(eq(channels.userId, userId), id === undefined ? undefined : eq(channels.id, id)))
    .orderBy(asc(channelDevices.deviceId))

/** How many of these trackers the viewer sees. */
export const countVisibleDevices = (db: DbReader, viewer: Viewer, ids: number[]) =>
  db.$count(devices, and(inArray(devices.id, ids), devicesOf(db, viewer)))

/** Replaces the trackers of a channel; null is for all trackers. */
export async function saveChannelDevices(tx: Tx, channelId: number, deviceIds: number[] | null) {
  await tx.delete(channelDevices).where(eq(channelDevices.channelId, channelId))
  if (deviceIds) await tx.insert(channelDevices).values(deviceIds.map((deviceId) => ({ channelId, deviceId })))
  await updateChannel(tx, channelId, { isForAllDevices: deviceIds === null })
}

export const listChannels = (db: DbReader, userId: number) =>
  db.select().from(channels).where(eq(channels.userId, userId)).orderBy(asc(channels.id))

export async function findChannel(db: DbReader, userId: number, id: number) {
  const [channel] = await db
    .select()
    .from(channels)
    .where(and(eq(channels.userId, userId), eq(channels.id, id)))
  return channel
}

export async function insertChannel(tx: Tx, channel: typeof channels.$inferInsert) {
  const [row] = await tx.insert(channels).values(channel).returning()
  return row!
}

export async function updateChannel(tx: Tx, id: number, change: Partial<ChannelRow>) {
  const [row] = await tx.update(channels).set(change).where(eq(channels.id, id)).returning()
  return row!
}

/** Stops a channel; false if it was stopped already. */
export async function stopUnlessStopped(tx: Tx, id: number, stop: Pick<ChannelRow, 'stoppedAt' | 'stopReason'>) {
  const stopped = await tx
    .update(channels)
    .set(stop)
    .where(and(eq(channels.id, id), isNull(channels.stoppedAt)))
    .returning({ id: channels.id })
  return stopped.length > 0
}

export const deleteChannel = (tx: Tx, id: number) => tx.delete(channels).where(eq(channels.id, id))

const isOn = and(isNotNull(channels.verifiedAt), isNull(channels.stoppedAt))

/** Channels of users who see a tracker, unless they name others, with their kinds of alerts and their users' quiet hours. */
export const listChannelsFor = (db: DbReader, { id, accountId }: Pick<DeviceRow, 'id' | 'accountId'>, other?: { id: number }) => {
  const ids = other ? [id, other.id] : [id]
  const naming = db.select({ id: channelDevices.channelId }).from(channelDevices).where(inArray(channelDevices.deviceId, ids))
  return db
    .select({
      id: channels.id,
      kind: channels.kind,
      label: channels.label,
      kinds: channels.kinds,
      userId: users.id,
      ...quietColumns,
    })
    .from(channels)
    .innerJoin(users, eq(users.id, channels.userId))
    .where(and(isOn, eq(users.accountId, accountId), seesTrackers(db, ids), or(channels.isForAllDevices, inArray(channels.id, naming))))
    .orderBy(asc(channels.id))
}

type NewDelivery = { channelId: number; content: DeliveryContent; isUrgent: boolean; at: Date; from?: Date }

/** Inserts a delivery in the transaction that causes it; it is sent from `from` on. Returns its id. */
export async function queueDelivery(tx: Tx, { at, from = at, ...delivery }: NewDelivery) {
  const row = { ...delivery, type: delivery.content.type, createdAt: at, nextAttemptAt: from }
  const [queued] = await tx.insert(channelDeliveries).values(row).returning({ id: channelDeliveries.id })
  return queued!.id
}

const isWaiting = isNull(channelDeliveries.endedAt)
const isDue = (now: Date) => and(isWaiting, lte(channelDeliveries.nextAttemptAt, now))

/** Deliveries to send now, in the order in which they fell due, without those to channels that are busy. */
export const listDueDeliveries = (db: DbReader, now: Date, { busy, limit }: { busy: readonly number[]; limit: number }) =>
  db
    .select({
      delivery: channelDeliveries,
      channel: channels,
      user: { id: users.id, email: users.email, language: users.language, timeZone: users.timeZone },
    })
    .from(channelDeliveries)
    .innerJoin(channels, eq(channels.id, channelDeliveries.channelId))
    .innerJoin(users, eq(users.id, channels.userId))
    .where(and(isDue(now), isNull(channels.stoppedAt), busy.length > 0 ? notInArray(channels.id, [...busy]) : undefined))
    .orderBy(asc(channelDeliveries.nextAttemptAt), asc(channelDeliveries.id))
    .limit(limit)

export type DueDelivery = Awaited<ReturnType<typeof listDueDeliveries>>[number]

/** Reserves due deliveries for one server until `until`; resolves to those that no other server claimed first. */
export const claimDeliveries = (tx: Tx, ids: number[], { now, until }: { now: Date; until: Date }) =>
  tx
    .update(channelDeliveries)
    .set({ attempts: sql`${channelDeliveries.attempts} + 1`, nextAttemptAt: until })
    .where(and(inArray(channelDeliveries.id, ids), isDue(now)))
    .returning()

type DeliveryChange = Partial<Pick<DeliveryRow, 'nextAttemptAt' | 'endedAt' | 'failure'>>

/** Changes a delivery, unless it was attempted again since it was claimed. */
export const updateDelivery = (tx: Tx, { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>, change: DeliveryChange) =>
  tx
    .update(channelDeliveries)
    .set(change)
    .where(and(eq(channelDeliveries.id, id), eq(channelDeliveries.attempts, attempts)))

/** Gives up what waits for a channel, such as the code before a new one. */
export const endWaiting = (tx: Tx, channelId: number, endedAt: Date) =>
  tx
    .update(channelDeliveries)
    .set({ endedAt })
    .where(and(eq(channelDeliveries.channelId, channelId), isWaiting))

/** Moves the deliveries that wait for the end of a user's quiet hours to another end. */
export const holdDeliveriesUntil = (tx: Tx, userId: number, until: Date) => {
  const ofUser = tx.select({ id: channels.id }).from(channels).where(eq(channels.userId, userId))
  const isHeld = and(isWaiting, eq(channelDeliveries.attempts, 0), gt(channelDeliveries.nextAttemptAt, channelDeliveries.createdAt))
  return tx
    .update(channelDeliveries)
    .set({ nextAttemptAt: until })
    .where(and(isHeld, inArray(channelDeliveries.channelId, ofUser)))
}

export const listDeliveries = (db: DbReader, channelId: number, limit: number) =>
  db.select().from(channelDeliveries).where(eq(channelDeliveries.channelId, channelId)).orderBy(desc(channelDeliveries.id)).limit(limit)

/** Alerts queued for the channels of an account since an instant. */
export const countDeliveries = (db: DbReader, accountId: number, since: Date) => {
  const ofAccount = db.select({ id: channels.id }).from(channels).innerJoin(users, eq(users.id, channels.userId))
  const isOfAccount = inArray(channelDeliveries.channelId, ofAccount.where(eq(users.accountId, accountId)))
  return db.$count(channelDeliveries, and(isOfAccount, gt(channelDeliveries.createdAt, since), eq(channelDeliveries.type, 'alert')))
}

/** Tests and codes of a user since an instant. */
export const countTests = (db: DbReader, userId: number, since: Date) =>
  db.$count(
    channelDeliveries,
    and(
      inArray(channelDeliveries.channelId, db.select({ id: channels.id }).from(channels).where(eq(channels.userId, userId))),
      gt(channelDeliveries.createdAt, since),
      ne(channelDeliveries.type, 'alert'),
    ),
  )
