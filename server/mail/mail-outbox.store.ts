import { and, asc, desc, eq, isNull, lt, lte, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { emails } from '#db/schema/emails.ts'

export type MailRow = typeof emails.$inferSelect

export const insertMail = (tx: Tx, mail: typeof emails.$inferInsert) => tx.insert(emails).values(mail)

/** Mails to send now, oldest first, without those that failed too often. */
export const listDueMails = (db: DbReader, now: Date, { maxAttempts, limit }: { maxAttempts: number; limit: number }) =>
  db
    .select()
    .from(emails)
    .where(and(isNull(emails.sentAt), lt(emails.attempts, maxAttempts), or(isNull(emails.nextAttemptAt), lte(emails.nextAttemptAt, now))))
    .orderBy(asc(emails.id))
    .limit(limit)

export const updateMail = (tx: Tx, id: number, change: Partial<Pick<MailRow, 'sentAt' | 'attempts' | 'nextAttemptAt' | 'data'>>) =>
  tx.update(emails).set(change).where(eq(emails.id, id))

type Filter = { to?: string | undefined; template?: string | undefined }

/** Newest first; the address must match exactly. */
export const listMails = (db: DbReader, { to, template }: Filter, limit: number) =>
  db
    .select()
    .from(emails)
    .where(and(to === undefined ? undefined : eq(emails.to, to), template === undefined ? undefined : eq(emails.template, template)))
    .orderBy(desc(emails.id))
    .limit(limit)

export const countMails = (db: DbReader) => db.$count(emails)

export async function findMail(db: DbReader, id: number) {
  const [mail] = await db.select().from(emails).where(eq(emails.id, id))
  return mail
}
