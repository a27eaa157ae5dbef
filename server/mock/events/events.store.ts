import { asc, desc, gt, sql } from 'drizzle-orm'
import { emails } from '#db/schema/emails.ts'
import type { Reader } from '#db/sqlite/open.ts'
import { preparedOn } from '#db/sqlite/prepared.ts'

export const newestMail = (db: Reader) => db.select({ id: emails.id }).from(emails).orderBy(desc(emails.id)).limit(1).get()?.id ?? 0

const statements = preparedOn((db: Reader) =>
  db
    .select({ id: emails.id, to: emails.to, template: emails.template, language: emails.language })
    .from(emails)
    .where(gt(emails.id, sql.placeholder('id')))
    .orderBy(asc(emails.id))
    .prepare(),
)

/** Mails written since `id`, oldest first. Synchronous, so that no other write comes between. */
export const mailsAfter = (db: Reader, id: number) => statements(db).all({ id })
