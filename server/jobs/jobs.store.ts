import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { RENEWAL_GRACE_HOURS } from '#contracts/rules/subscription.ts'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { NETWORK_SILENCE_DAYS } from '#contracts/rules/tracking/reporting.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { showsDevice } from '#db/links.ts'
import { preparedOn } from '#db/prepared.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { linkDevices, publicLinks } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'

type Rule = { awaited: SQL | undefined; at: SQL<number> }

/**
 * A change of trackers by the passing of time: the condition on the row, the instant in ms, and the queries, which are prepared because
 * they run every few seconds, and in a world of the mock server at each move of its clock.
 */
export type DueRule = ReturnType<typeof createRule>

function createRule({ awaited, at }: Rule) {
  const next = preparedOn((db: DbReader) =>
    db
      .select({ at: sql<number | null>`min(${at})` })
      .from(devices)
      .where(and(awaited, gt(at, sql`${sql.placeholder('after')}`)))
      .prepare(),
  )
  const due = preparedOn((db: DbReader) =>
    db
      .select({ id: devices.id, accountId: devices.accountId })
      .from(devices)
      .where(and(awaited, lte(at, sql`${sql.placeholder('by')}`)))
      .orderBy(asc(at), asc(devices.id))
      .prepare(),
  )
  return { awaited, at, next, due }
}

/** Whether the newest subscription renews and its grace period has not been used yet. */
const isRecurring = sql`(select ${subscriptions.isRecurring} and ${subscriptions.heldUntil} is null from ${subscriptions}
  where ${subscriptions.deviceId} = ${devices.id} order by ${subscriptions.id} desc limit 1)`

/** The end date is the last valid instant, so the subscription ends 1 ms later; a renewing one after the grace period. */
export const SUBSCRIPTION_END = createRule({
  awaited: and(eq(devices.subState, 'active'), isNotNull(devices.subEndDate)),
  at: sql`${devices.subEndDate} + 1 + case when ${isRecurring} then ${RENEWAL_GRACE_HOURS * HOUR_MS} else 0 end`,
})

/** The later of the two; `greatest` has another name in each database. */
const heardAt = sql`case when coalesce(${devices.lastMessageAt}, 0) > coalesce(${devices.networkActivatedAt}, 0)
  then coalesce(${devices.lastMessageAt}, 0) else coalesce(${devices.networkActivatedAt}, 0) end`

/** Counts from the last message or the reactivation; a tracker that never sent a message does not count as silent. */
export const SILENCE = createRule({
  awaited: and(ne(devices.networkState, 'deactivated'), sql`${heardAt} > 0`),
  at: sql`${heardAt} + ${NETWORK_SILENCE_DAYS * DAY_MS + 1}`,
})

export const BOOST_END = createRule({ awaited: isNotNull(devices.boostUntil), at: sql`${devices.boostUntil}` })

export async function nextTurn(db: DbReader, { next }: DueRule, after: Date) {
  const [row] = await next(db).execute({ after: after.getTime() })
  return dateOf(row?.at)
}

/** Lists the due trackers of a rule in order of time. */
export const devicesDue = (db: DbReader, { due }: DueRule, by: Date) => due(db).execute({ by: by.getTime() })

/** The tracker, if the change is still due. */
export async function deviceDue(tx: Tx, turn: DueRule, id: number, now: Date): Promise<DeviceRow | undefined> {
  const [row] = await tx
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), turn.awaited, lte(turn.at, now.getTime())))
  return row
}

export const changeDevice = (tx: Tx, id: number, change: Partial<Pick<DeviceRow, 'subState' | 'networkState' | 'boostUntil'>>) =>
  tx.update(devices).set(change).where(eq(devices.id, id))

/** Links whose end has not been published yet. */
const isAwaited = and(isNull(publicLinks.endToldAt), not(publicLinks.isPermanent))

const linkStatements = preparedOn((db: DbReader) => ({
  next: db
    .select({ at: sql<number | null>`min(${publicLinks.endsAt})` })
    .from(publicLinks)
    .where(and(isAwaited, gt(publicLinks.endsAt, sql`${sql.placeholder('after')}`)))
    .prepare(),
  due: db
    .select({ uuid: publicLinks.uuid, accountId: devices.accountId })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(and(isAwaited, lte(publicLinks.endsAt, sql`${sql.placeholder('by')}`)))
    .orderBy(asc(publicLinks.endsAt), asc(publicLinks.uuid))
    .prepare(),
}))

export async function nextLinkEnd(db: DbReader, after: Date) {
  const [row] = await linkStatements(db).next.execute({ after: after.getTime() })
  return dateOf(row?.at)
}

export const linksDue = (db: DbReader, by: Date) => linkStatements(db).due.execute({ by: by.getTime() })

/** Marks the end of a link as published; returns its trackers, or undefined when another run was faster. */
export async function markLinkEndPublished(tx: Tx, uuid: string, now: Date) {
  const [told] = await tx
    .update(publicLinks)
    .set({ endToldAt: now })
    .where(and(eq(publicLinks.uuid, uuid), isAwaited, lte(publicLinks.endsAt, now)))
    .returning({ deviceId: publicLinks.deviceId })
  if (!told) return undefined
  const others = tx.select({ id: linkDevices.deviceId }).from(linkDevices).where(eq(linkDevices.linkUuid, uuid))
  const isShown = or(eq(devices.id, told.deviceId), inArray(devices.id, others))
  const shown = await tx.select().from(devices).where(isShown).orderBy(asc(devices.id))
  const ended = []
  for (const device of shown)
    ended.push({ device, isPublic: (await tx.$count(publicLinks, and(showsDevice(device.id), gt(publicLinks.endsAt, now)))) > 0 })
  return ended
}

const dateOf = (at: number | null | undefined) => (at ? new Date(at) : null)
