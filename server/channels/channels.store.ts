import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { channelDeliveries, channels, type DeliveryContent } from '#db/schema/messages.ts'
import type { DeviceRow } from '#db/scope.ts'

export type ChannelRow = typeof channels.$inferSelect
export type DeliveryRow = typeof channelDeliveries.$inferSelect

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

/** Channels of users who see a tracker, with their users' quiet hours. */
export const listChannelsFor = (db: DbReader, { id, accountId }: Pick<DeviceRow, 'id' | 'accountId'>) => {
  const members = db.select({ id: teamDevices.userId }).from(teamDevices).where(eq(teamDevices.deviceId, id))
  return db
    .select({ id: channels.id, kind: channels.kind, from: users.quietFrom, to: users.quietTo, timeZone: users.timeZone })
    .from(channels)
    .innerJoin(users, eq(users.id, channels.userId))
    .where(and(isOn, eq(users.accountId, accountId), or(ne(users.role, 'pro'), inArray(users.id, members))))
    .orderBy(asc(channels.id))
}

type NewDelivery = { channelId: number; content: DeliveryContent; isUrgent: boolean; at: Date; from?: Date }

/** Inserts a delivery in the transaction that causes it; it is sent from `from` on. */
export const queueDelivery = (tx: Tx, { at, from = at, ...delivery }: NewDelivery) =>
  tx.insert(channelDeliveries).values({ ...delivery, type: delivery.content.type, createdAt: at, nextAttemptAt: from })

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

export const listDeliveries = (db: DbReader, channelId: number, limit: number) =>
  db.select().from(channelDeliveries).where(eq(channelDeliveries.channelId, channelId)).orderBy(desc(channelDeliveries.id)).limit(limit)

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
