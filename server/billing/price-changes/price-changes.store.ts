import { and, asc, desc, eq, exists, gt, inArray, isNotNull, isNull, lt, lte, min, or, sql } from 'drizzle-orm'
import type { PriceChangeState } from '#contracts/operator/prices.ts'
import { renewalStart } from '#contracts/rules/prices/price-changes.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { paymentTasks, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { priceChanges, priceNotices } from '#db/schema/staff.ts'
import type { PriceRow, SubscriptionRow } from '#server/billing/records/subscriptions.store.ts'
import { RUNNING } from '#server/ports/payments.ts'

export type PriceChangeRow = typeof priceChanges.$inferSelect
export type PriceNoticeRow = typeof priceNotices.$inferSelect

export async function insertPriceChange(tx: Tx, row: typeof priceChanges.$inferInsert): Promise<PriceChangeRow> {
  const [added] = await tx.insert(priceChanges).values(row).returning()
  return added!
}

export async function findPriceChange(db: DbReader, id: number): Promise<PriceChangeRow | undefined> {
  const [row] = await db.select().from(priceChanges).where(eq(priceChanges.id, id))
  return row
}

export async function updatePriceChange(tx: Tx, id: number, change: Partial<PriceChangeRow>): Promise<PriceChangeRow> {
  const [changed] = await tx.update(priceChanges).set(change).where(eq(priceChanges.id, id)).returning()
  return changed!
}

const isValid = isNull(priceChanges.cancelledAt)
const isUnapplied = and(isValid, isNull(priceChanges.appliedAt))
const isUnnoticed = and(isValid, isNull(priceChanges.noticedAt))

/** Amounts that hold already and are not in the price list yet, or are coming; the earliest first. */
export const listUnapplied = (db: DbReader): Promise<PriceChangeRow[]> =>
  db.select().from(priceChanges).where(isUnapplied).orderBy(asc(priceChanges.startsAt), asc(priceChanges.id))

/** The amounts of a price that begin in a span and were not withdrawn. */
export const listBeginning = (db: DbReader, priceId: string, from: Date, before: Date): Promise<PriceChangeRow[]> =>
  db
    .select()
    .from(priceChanges)
    .where(
      and(
        isValid,
        eq(priceChanges.priceId, priceId),
        sql`${priceChanges.startsAt} >= ${from.getTime()}`,
        sql`${priceChanges.startsAt} < ${before.getTime()}`,
      ),
    )

type Page = { before?: { at: Date; id: number } | undefined; priceId?: string | undefined; state?: PriceChangeState | undefined }

/** A page of all, the latest beginning first. */
export function listPriceChanges(db: DbReader, { before, priceId, state }: Page, now: Date, limit: number): Promise<PriceChangeRow[]> {
  const { startsAt, id, cancelledAt } = priceChanges
  const isInState = {
    coming: and(isNull(cancelledAt), gt(startsAt, now)),
    begun: and(isNull(cancelledAt), lte(startsAt, now)),
    withdrawn: isNotNull(cancelledAt),
  }
  return db
    .select()
    .from(priceChanges)
    .where(
      and(
        before && or(lt(startsAt, before.at), and(eq(startsAt, before.at), lt(id, before.id))),
        priceId === undefined ? undefined : eq(priceChanges.priceId, priceId),
        state && isInState[state],
      ),
    )
    .orderBy(desc(startsAt), desc(id))
    .limit(limit)
}

/** Notices of these changes: all, those whose renewal was changed at the provider, and those whose change has failed so far. */
export async function countNotices(db: DbReader, ids: number[]) {
  if (ids.length === 0) return new Map<number, { noticed: number; changed: number; failing: number }>()
  const isFailing = exists(
    db
      .select({ id: paymentTasks.id })
      .from(paymentTasks)
      .where(
        and(eq(paymentTasks.kind, 'reprice'), eq(paymentTasks.ref, sql`cast(${priceNotices.id} as text)`), gt(paymentTasks.attempts, 0)),
      ),
  )
  const rows = await db
    .select({
      changeId: priceNotices.changeId,
      noticed: sql<number>`count(*)`.mapWith(Number),
      changed: sql<number>`count(${priceNotices.changedAt})`.mapWith(Number),
      failing: sql<number>`count(case when ${priceNotices.changedAt} is null and ${isFailing} then 1 end)`.mapWith(Number),
    })
    .from(priceNotices)
    .where(inArray(priceNotices.changeId, ids))
    .groupBy(priceNotices.changeId)
  return new Map(rows.map((row) => [row.changeId, row]))
}

export const listToApply = async (db: DbReader, by: Date) => (await listUnapplied(db)).filter(({ startsAt }) => startsAt <= by)

/** Changes whose owners may have to be told. */
export const listToNotice = (db: DbReader, by: Date): Promise<PriceChangeRow[]> =>
  db
    .select()
    .from(priceChanges)
    .where(and(isUnnoticed, lte(priceChanges.noticeAt, by)))
    .orderBy(asc(priceChanges.noticeAt), asc(priceChanges.id))

export async function findNextStart(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(priceChanges.startsAt) })
    .from(priceChanges)
    .where(and(isUnapplied, gt(priceChanges.startsAt, after)))
  return row?.at ?? null
}

export async function findNextNotice(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(priceChanges.noticeAt) })
    .from(priceChanges)
    .where(and(isUnnoticed, gt(priceChanges.noticeAt, after)))
  return row?.at ?? null
}

const isAtProvider = and(isNotNull(subscriptions.providerId), inArray(subscriptions.status, RUNNING))

/** The next subscriptions of a price that the provider still charges or could charge again, by id. */
export const listRunningAfter = (db: DbReader, priceId: string, id: number, limit: number) =>
  db
    .select({ id: subscriptions.id, accountId: devices.accountId })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(eq(subscriptions.priceId, priceId), isAtProvider, gt(subscriptions.id, id)))
    .orderBy(asc(subscriptions.id))
    .limit(limit)

/** An account's running subscriptions of a price, with the names of their trackers. */
export const listRunningOf = (db: DbReader, accountId: number, priceId: string) =>
  db
    .select({ subscription: subscriptions, tracker: devices.name })
    .from(subscriptions)
    .innerJoin(devices, eq(devices.id, subscriptions.deviceId))
    .where(and(eq(devices.accountId, accountId), eq(subscriptions.priceId, priceId), isAtProvider))
    .orderBy(asc(subscriptions.id))

/** Undefined when the notice exists already. */
export async function insertNotice(tx: Tx, row: typeof priceNotices.$inferInsert): Promise<PriceNoticeRow | undefined> {
  const [added] = await tx.insert(priceNotices).values(row).onConflictDoNothing().returning()
  return added
}

/** A notice with its change, and the trackers' subscriptions that it is about; undefined when its account is gone. */
export async function findNotice(db: DbReader, id: number) {
  const [row] = await db
    .select({ notice: priceNotices, change: priceChanges })
    .from(priceNotices)
    .innerJoin(priceChanges, eq(priceChanges.id, priceNotices.changeId))
    .where(eq(priceNotices.id, id))
  return row
}

/** Whether a later amount of the same price was applied to running renewals as well. */
export async function hasNewerChange(db: DbReader, { id, priceId, startsAt }: PriceChangeRow) {
  const isNewer = and(eq(priceChanges.priceId, priceId), isValid, eq(priceChanges.running, 'change'), isNotNull(priceChanges.appliedAt))
  const [row] = await db
    .select({ id: priceChanges.id })
    .from(priceChanges)
    .where(and(isNewer, gt(priceChanges.startsAt, startsAt), sql`${priceChanges.id} <> ${id}`))
    .limit(1)
  return row !== undefined
}

export const countRenewed = (db: DbReader, providerId: string, priceId: string) =>
  db.$count(subscriptions, and(eq(subscriptions.providerId, providerId), eq(subscriptions.priceId, priceId)))

/** Records that the provider renews at the new amount. */
export async function markChanged(tx: Tx, { id, providerId }: PriceNoticeRow, { priceId, unitAmount }: PriceChangeRow, now: Date) {
  await tx.update(priceNotices).set({ changedAt: now }).where(eq(priceNotices.id, id))
  await tx
    .update(subscriptions)
    .set({ renewalAmount: unitAmount })
    .where(and(eq(subscriptions.providerId, providerId), eq(subscriptions.priceId, priceId)))
}

/** Writes an amount into the price list; running renewals keep what they cost until the provider is changed. Returns the former amount. */
export async function applyAmount(tx: Tx, priceId: string, unitAmount: number): Promise<number | undefined> {
  const [price] = await tx.select().from(prices).where(eq(prices.id, priceId))
  if (!price) return undefined
  await keepRenewalAmounts(tx, price)
  await tx.update(prices).set({ unitAmount }).where(eq(prices.id, priceId))
  return price.unitAmount
}

export const keepRenewalAmounts = (tx: Tx, { id, unitAmount }: Pick<PriceRow, 'id' | 'unitAmount'>) =>
  tx
    .update(subscriptions)
    .set({ renewalAmount: unitAmount })
    .where(and(eq(subscriptions.priceId, id), isNotNull(subscriptions.providerId), isNull(subscriptions.renewalAmount)))

/**
 * The amounts that renewals of these subscriptions will cost, with the instant from which, the earliest first: what is planned or was
 * announced to owners, and is not done yet.
 */
export async function listNextAmounts(db: DbReader, rows: readonly SubscriptionRow[], now: Date) {
  const ids = rows.flatMap(({ providerId }) => providerId ?? [])
  if (ids.length === 0) return []
  const notices = await db
    .select({
      changeId: priceChanges.id,
      providerId: priceNotices.providerId,
      priceId: priceChanges.priceId,
      amount: priceChanges.unitAmount,
      from: priceNotices.dueAt,
      changedAt: priceNotices.changedAt,
    })
    .from(priceNotices)
    .innerJoin(priceChanges, eq(priceChanges.id, priceNotices.changeId))
    .where(and(inArray(priceNotices.providerId, ids), isValid))
  const planned = await db
    .select()
    .from(priceChanges)
    .where(and(isUnnoticed, eq(priceChanges.running, 'change'), inArray(priceChanges.priceId, listPriceIds(rows))))
  const unannounced = planned.flatMap((change) =>
    rows.flatMap(({ providerId, priceId, renewalAmount }) => {
      const amount = renewalAmount ?? change.formerAmount
      if (providerId === null || priceId !== change.priceId || amount === change.unitAmount) return []
      if (notices.some((notice) => notice.changeId === change.id && notice.providerId === providerId)) return []
      const noticedAt = new Date(Math.max(now.getTime(), change.noticeAt.getTime()))
      const from = renewalStart({ startsAt: change.startsAt, isRise: change.unitAmount > amount }, noticedAt, change.noticeDays)
      return [{ changeId: change.id, providerId, priceId, amount: change.unitAmount, from }]
    }),
  )
  return [...notices.filter(({ changedAt }) => changedAt === null), ...unannounced].toSorted(
    (a, b) => a.from.getTime() - b.from.getTime() || a.changeId - b.changeId,
  )
}

const listPriceIds = (rows: readonly SubscriptionRow[]) => [...new Set(rows.flatMap(({ priceId }) => priceId ?? []))]

/** Withdrawn changes whose owners may have to learn of it, the earliest withdrawal first. */
export const listToRecall = (db: DbReader, by: Date): Promise<PriceChangeRow[]> =>
  db
    .select()
    .from(priceChanges)
    .where(and(isNotNull(priceChanges.cancelledAt), isNull(priceChanges.recalledAt), lte(priceChanges.cancelledAt, by)))
    .orderBy(asc(priceChanges.cancelledAt), asc(priceChanges.id))

/** The next notices of a change by id. */
export const listNoticesAfter = (db: DbReader, changeId: number, id: number, limit: number): Promise<PriceNoticeRow[]> =>
  db
    .select()
    .from(priceNotices)
    .where(and(eq(priceNotices.changeId, changeId), gt(priceNotices.id, id)))
    .orderBy(asc(priceNotices.id))
    .limit(limit)

/** The notices of a change for an account. */
export const listNoticesOf = (db: DbReader, changeId: number, accountId: number): Promise<PriceNoticeRow[]> =>
  db
    .select()
    .from(priceNotices)
    .where(and(eq(priceNotices.changeId, changeId), eq(priceNotices.accountId, accountId)))
    .orderBy(asc(priceNotices.id))
