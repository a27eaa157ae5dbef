import { asc, gt, max, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { emails } from '#db/schema/messages.ts'

const prepareMails = preparedOn((db: DbReader) => ({
  newest: db
    .select({ id: max(emails.id) })
    .from(emails)
    .prepare(),
  after: db
    .select({ id: emails.id, to: emails.to, template: emails.template, language: emails.language, createdAt: emails.createdAt })
    .from(emails)
    .where(gt(emails.id, sql.placeholder('id')))
    .orderBy(asc(emails.id))
    .prepare(),
}))

/** The id of the newest mail; 0 without any. */
export async function readNewestMailId(db: DbReader): Promise<number> {
  const [row] = await prepareMails(db).newest.execute()
  return row?.id ?? 0
}

/** Mails written after the one with this id, oldest first. */
export const listMailsAfter = (db: DbReader, id: number) => prepareMails(db).after.execute({ id })
