import { and, asc, desc, eq, gt, isNull, lt, lte, min } from 'drizzle-orm'
import type { AnnouncementState } from '#contracts/operator/announcements.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts } from '#db/schema/accounts.ts'
import { announcements } from '#db/schema/staff.ts'

export type AnnouncementRow = typeof announcements.$inferSelect

/** Those that are shown now, oldest first. */
export const listShown = (db: DbReader, now: Date): Promise<AnnouncementRow[]> =>
  db
    .select()
    .from(announcements)
    .where(and(lte(announcements.startsAt, now), gt(announcements.endsAt, now)))
    .orderBy(asc(announcements.id))

type Filter = { before?: number | undefined; state?: AnnouncementState | undefined }

const isInState = (state: AnnouncementState, now: Date) =>
  ({
    coming: and(gt(announcements.startsAt, now), gt(announcements.endsAt, now)),
    shown: and(lte(announcements.startsAt, now), gt(announcements.endsAt, now)),
    past: lte(announcements.endsAt, now),
  })[state]

/** Newest first. */
export const listAnnouncements = (db: DbReader, { before, state }: Filter, now: Date, limit: number): Promise<AnnouncementRow[]> =>
  db
    .select()
    .from(announcements)
    .where(and(before === undefined ? undefined : lt(announcements.id, before), state && isInState(state, now)))
    .orderBy(desc(announcements.id))
    .limit(limit)

export async function findAnnouncement(db: DbReader, id: number): Promise<AnnouncementRow | undefined> {
  const [row] = await db.select().from(announcements).where(eq(announcements.id, id))
  return row
}

export async function insertAnnouncement(tx: Tx, row: typeof announcements.$inferInsert): Promise<AnnouncementRow> {
  const [added] = await tx.insert(announcements).values(row).returning()
  return added!
}

export async function updateAnnouncement(tx: Tx, id: number, change: Partial<AnnouncementRow>): Promise<AnnouncementRow> {
  const [changed] = await tx.update(announcements).set(change).where(eq(announcements.id, id)).returning()
  return changed!
}

const isUnmailed = and(eq(announcements.isMailed, true), isNull(announcements.mailedAt))

/** Announcements that are shown and whose mails are not all queued. */
export const listToMail = (db: DbReader, now: Date) =>
  db
    .select()
    .from(announcements)
    .where(and(isUnmailed, lte(announcements.startsAt, now), gt(announcements.endsAt, now)))
    .orderBy(asc(announcements.id))

export async function findNextToMail(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(announcements.startsAt) })
    .from(announcements)
    .where(and(isUnmailed, gt(announcements.startsAt, after)))
  return row?.at ?? null
}

/** The ids of the next accounts after one. */
export async function listAccountsAfter(db: DbReader, id: number, limit: number) {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(gt(accounts.id, id)).orderBy(asc(accounts.id)).limit(limit)
  return rows.map((row) => row.id)
}
