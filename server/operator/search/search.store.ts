import { and, type Column, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'

/** A range, which both engines look up in the index of the column. */
export const beginsWith = (column: Column, head: string) => and(gte(column, head), lt(column, `${head}~`))

type Values = readonly [column: Column, values: readonly (string | number)[]]

/** Rows that have one of the values in their column. Empty lists are left out: for `false or …` SQLite reads the whole table. */
export function hasOneOf(...lists: Values[]): SQL {
  const found = lists.flatMap(([column, values]) => (values.length > 0 ? inArray(column, [...values]) : []))
  return or(...found) ?? sql`1 = 0`
}

/** The most accounts that a search looks at. */
const MAX_ACCOUNTS = 100

/** Accounts with a user whose address begins with the text, or who has this first, last or full name. */
export async function findAccounts(db: DbReader, text: string) {
  const name = text.toLowerCase()
  const match = text.includes('@') ? beginsWith(users.email, name) : isNamed(name)
  const rows = await db.selectDistinct({ id: users.accountId }).from(users).where(match).limit(MAX_ACCOUNTS)
  return rows.map(({ id }) => id)
}

const isNamed = (name: string) => {
  const last = sql`lower(${users.lastName})`
  const first = sql`lower(${users.firstName})`
  const [one = '', ...others] = name.split(/\s+/)
  const other = others.join(' ')
  if (!other) return or(eq(last, one), eq(first, one))
  return or(eq(last, name), and(eq(first, one), eq(last, other)), and(eq(last, one), eq(first, other)))
}
