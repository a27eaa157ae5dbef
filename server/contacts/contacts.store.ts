import { and, eq, ne } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { contacts } from '#db/schema/places.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'

export type ContactRow = typeof contacts.$inferSelect

export const listVisibleContacts = (db: DbReader, viewer: Viewer) => db.select().from(contacts).where(ofAccount(contacts.accountId, viewer))

export async function findVisibleContact(db: DbReader, viewer: Viewer, id: number): Promise<ContactRow | undefined> {
  const match = and(eq(contacts.id, id), ofAccount(contacts.accountId, viewer))
  const [row] = await db.select().from(contacts).where(match)
  return row
}

export const countContacts = (db: DbReader, accountId: number) => db.$count(contacts, eq(contacts.accountId, accountId))

export async function insertContact(tx: Tx, contact: Omit<ContactRow, 'id'>) {
  const [row] = await tx.insert(contacts).values(contact).onConflictDoNothing().returning()
  return row
}

/** Returns false when another contact of the account has the e-mail. */
export async function updateContact(tx: Tx, { id, ...values }: ContactRow) {
  const isOther = and(eq(contacts.accountId, values.accountId), eq(contacts.email, values.email), ne(contacts.id, id))
  if ((await tx.$count(contacts, isOther)) > 0) return false
  await tx.update(contacts).set(values).where(eq(contacts.id, id))
  return true
}

export const removeContact = (tx: Tx, id: number) => tx.delete(contacts).where(eq(contacts.id, id))
