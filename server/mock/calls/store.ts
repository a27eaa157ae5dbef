import { eq, sql } from 'drizzle-orm'
import type { Reader } from '#db/open.ts'
import { users } from '#db/tables/accounts.ts'
import { preparedOn } from '#server/lib/prepared.ts'

const statements = preparedOn((db: Reader) =>
  db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)

export const emailOf = (db: Reader, id: number) => statements(db).get({ id })?.email
