import { and, asc, desc, eq, inArray, isNull, lte, notLike, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { quietColumns } from '#db/people.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { type PushOutcome, pushBrowsers, pushes, pushResults } from '#db/schema/messages.ts'
import { type DeviceRow, seesTrackers } from '#db/scope.ts'

export type PushRow = typeof pushes.$inferSelect
export type PushContent = Pick<PushRow, 'title' | 'body' | 'url' | 'isUrgent'> & Partial<Pick<PushRow, 'alert'>>

/** The most browsers of a user; beyond it the oldest are removed. */
const MAX_BROWSERS = 20

/** Sets the browser of a session. A browser of another session moves to this one. */
export async function saveBrowser(tx: Tx, browser: typeof pushBrowsers.$inferInsert) {
  await tx.delete(pushBrowsers).where(or(eq(pushBrowsers.session, browser.session), eq(pushBrowsers.endpoint, browser.endpoint)))
  await tx.insert(pushBrowsers).values(browser)
  const all = await tx
    .select({ id: pushBrowsers.id })
    .from(pushBrowsers)
    .where(eq(pushBrowsers.userId, browser.userId))
    .orderBy(asc(pushBrowsers.id))
  const oldest = all.slice(0, Math.max(0, all.length - MAX_BROWSERS)).map(({ id }) => id)
  if (oldest.length > 0) await tx.delete(pushBrowsers).where(inArray(pushBrowsers.id, oldest))
}

export const removeBrowser = (tx: Tx, id: number) => tx.delete(pushBrowsers).where(eq(pushBrowsers.id, id))

export async function findBrowser(db: DbReader, session: string) {
  const [browser] = await db.select().from(pushBrowsers).where(eq(pushBrowsers.session, session))
  return browser
}

/** Browsers of users who see a tracker, and the other one of a pair, with their users' settings. */
export const listBrowsersFor = (db: DbReader, { id, accountId }: Pick<DeviceRow, 'id' | 'accountId'>, other?: { id: number }) =>
  db
    .select({
      browserId: pushBrowsers.id,
      userId: users.id,
      role: users.role,
      name: tokens.agent,
      language: users.language,
      ...quietColumns,
    })
    .from(pushBrowsers)
    .innerJoin(users, eq(users.id, pushBrowsers.userId))
    .innerJoin(tokens, eq(tokens.hash, pushBrowsers.session))
    .where(and(eq(users.accountId, accountId), seesTrackers(db, other ? [id, other.id] : [id])))
    .orderBy(asc(pushBrowsers.id))

export const listBrowsersOf = (db: DbReader, userId: number) =>
  db.select({ id: pushBrowsers.id }).from(pushBrowsers).where(eq(pushBrowsers.userId, userId)).orderBy(asc(pushBrowsers.id))

/** Inserts a notification in the transaction that causes it; returns its id. */
export async function queuePush(tx: Tx, browserId: number, content: PushContent, now: Date) {
  const [queued] = await tx
    .insert(pushes)
    .values({ ...content, browserId, createdAt: now })
    .returning({ id: pushes.id })
  return queued!.id
}

const isDue = (now: Date) => or(isNull(pushes.nextAttemptAt), lte(pushes.nextAttemptAt, now))

/** Notifications to send now, oldest first, without those to push services that are busy, named by their origin. */
export const listDuePushes = (db: DbReader, now: Date, { busy, limit }: { busy: readonly string[]; limit: number }) =>
  db
    .select({ push: pushes, browser: pushBrowsers })
    .from(pushes)
    .innerJoin(pushBrowsers, eq(pushBrowsers.id, pushes.browserId))
    .where(and(isDue(now), ...busy.map((origin) => notLike(pushBrowsers.endpoint, `${origin}/%`))))
    .orderBy(asc(pushes.id))
    .limit(limit)

/** Reserves due notifications for one server until `until`; resolves to those that no other server claimed first. */
export const claimPushes = (tx: Tx, ids: number[], { now, until }: { now: Date; until: Date }) =>
  tx
    .update(pushes)
    .set({ attempts: sql`${pushes.attempts} + 1`, nextAttemptAt: until })
    .where(and(inArray(pushes.id, ids), isDue(now)))
    .returning()

/** Records what became of a notification, whose row is removed; a second server may have sent it, too. */
export const savePushResult = (tx: Tx, pushId: number, outcome: PushOutcome, at: Date) =>
  tx.insert(pushResults).values({ pushId, outcome, at }).onConflictDoNothing()

export const removePush = (tx: Tx, id: number) => tx.delete(pushes).where(eq(pushes.id, id))

export const postponePush = (tx: Tx, id: number, nextAttemptAt: Date) => tx.update(pushes).set({ nextAttemptAt }).where(eq(pushes.id, id))

/** A notification that is not sent yet, with its browser. */
export async function findPush(db: DbReader, id: number) {
  const [found] = await db
    .select({ push: pushes, browser: pushBrowsers })
    .from(pushes)
    .innerJoin(pushBrowsers, eq(pushBrowsers.id, pushes.browserId))
    .where(eq(pushes.id, id))
  return found
}

/** Notifications with their recipients and destinations, newest first. */
export const listPushRows = (db: DbReader, limit: number) =>
  db
    .select({ push: pushes, user: users.email, endpoint: pushBrowsers.endpoint })
    .from(pushes)
    .innerJoin(pushBrowsers, eq(pushBrowsers.id, pushes.browserId))
    .innerJoin(users, eq(users.id, pushBrowsers.userId))
    .orderBy(desc(pushes.id))
    .limit(limit)
