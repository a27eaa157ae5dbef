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

/** Mails that were written since, oldest first; at once, so that nobody writes meanwhile. */
export const mailsAfter = (db: Reader, id: number) => statements(db).all({ id })
