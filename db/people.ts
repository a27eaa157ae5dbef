import { domainToUnicode } from 'node:url'
import { and, asc, type Column, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import type { Viewer } from './scope.ts'

/** The stored forms of an e-mail address: its domain in ASCII, or in Unicode for older accounts. */
export function listSpellings(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  return [...new Set([address, `${address.slice(0, at)}${at > 0 ? domainToUnicode(address.slice(at)) : address}`])]
}

/** The owner of an account: for a team its administrator, not a member who was added later. Undefined once the account is erased. */
export async function findAccountOwner(db: DbReader, accountId: number) {
  const { id, firstName, lastName, email, emailConfirmed, language, timeZone, createdAt } = users
  const [owner] = await db
    .select({ id, firstName, lastName, email, emailConfirmed, language, timeZone, createdAt })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(sql`${users.role} = 'pro'`, asc(users.id))
    .limit(1)
  return owner
}
export type Owner = NonNullable<Awaited<ReturnType<typeof findAccountOwner>>>

/** The owners of accounts by their numbers, as `findAccountOwner` finds each. */
export async function findAccountOwners(db: DbReader, accountIds: readonly number[]) {
  const { accountId, email, firstName, lastName, language } = users
  const people = await db
    .select({ accountId, email, firstName, lastName, language })
    .from(users)
    .where(inArray(accountId, [...new Set(accountIds)]))
    .orderBy(desc(sql`${users.role} = 'pro'`), desc(users.id))
  // Of several people of an account the last one stays.
  return new Map(people.map((person) => [person.accountId, person]))
}

/** The language chosen by a person. */
export async function findLanguage(db: DbReader, userId: number) {
  const [reader] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return reader!.language
}

/** What decides about the quiet hours of a user. */
export const quietColumns = {
  quietFrom: users.quietFrom,
  quietTo: users.quietTo,
  quietSpans: users.quietSpans,
  timeZone: users.timeZone,
}

export const makerColumns = { id: users.id, firstName: users.firstName, lastName: users.lastName }
export type Maker = { id: number; firstName: string; lastName: string }

/** Joins the user who made something, for the administrator of a team; no user for other viewers. */
export const isMaker = (createdBy: Column, { role, accountId }: Viewer): SQL | undefined =>
  role === 'admin' ? and(eq(users.id, createdBy), eq(users.accountId, accountId)) : sql`1 = 0`

export const presentMaker = (maker: Maker | null) =>
  maker && { created_by: { id: maker.id, first_name: maker.firstName, last_name: maker.lastName } }
