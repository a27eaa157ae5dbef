import { desc, eq, max } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { paymentEvents } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { uplinks } from '#db/schema/networks.ts'
import { alertFirings } from '#db/schema/places.ts'
import { liveEvents } from '#db/schema/positions.ts'
import { securityLog } from '#db/schema/security.ts'
import { clockMarks } from '#db/schema/worlds.ts'

export type ClockMark = typeof clockMarks.$inferSelect

const KEY = 'clock'

export async function findClockMark(db: DbReader): Promise<ClockMark | undefined> {
  const [row] = await db.select().from(clockMarks).where(eq(clockMarks.key, KEY))
  return row
}

export const saveClockMark = (tx: Tx, mark: Omit<ClockMark, 'key'>) =>
  tx
    .insert(clockMarks)
    .values({ key: KEY, ...mark })
    .onConflictDoUpdate({ target: clockMarks.key, set: mark })

/** Milliseconds by which removals by age lag behind the clock. */
export async function findRemovalLag(db: DbReader): Promise<number> {
  const [row] = await db.select({ lag: clockMarks.removalLag }).from(clockMarks).where(eq(clockMarks.key, KEY))
  return (row?.lag ?? 0) * 1000
}

/** Instants that servers wrote as the current time. Planned instants, such as the end of a subscription, are no evidence of the time. */
const EVIDENCE: ((db: DbReader) => PromiseLike<{ at: Date | null }[]>)[] = [
  (db) => db.select({ at: liveEvents.at }).from(liveEvents).orderBy(desc(liveEvents.id)).limit(1),
  (db) => db.select({ at: emails.createdAt }).from(emails).orderBy(desc(emails.id)).limit(1),
  (db) => db.select({ at: users.createdAt }).from(users).orderBy(desc(users.id)).limit(1),
  (db) => db.select({ at: max(emails.sentAt) }).from(emails),
  (db) => db.select({ at: max(tokens.lastSeenAt) }).from(tokens),
  (db) => db.select({ at: max(securityLog.at) }).from(securityLog),
  (db) => db.select({ at: max(alertFirings.at) }).from(alertFirings),
  (db) => db.select({ at: max(devices.lastMessageAt) }).from(devices),
  (db) => db.select({ at: max(uplinks.receivedAt) }).from(uplinks),
  (db) => db.select({ at: max(paymentEvents.receivedAt) }).from(paymentEvents),
]

/** The newest instant at which a server wrote a row; null in a new database. */
export async function findNewestRow(db: DbReader): Promise<Date | null> {
  let newest: Date | null = null
  for (const read of EVIDENCE) {
    const at = (await read(db))[0]?.at
    if (at && (!newest || at > newest)) newest = at
  }
  return newest
}
