import { and, eq, ne } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfContact, recordEndings, recordStop } from '#db/endings.ts'
import { users } from '#db/schema/accounts.ts'
import { columnsOf as getColumns } from '#db/schema/columns.ts'
import { contacts, mailStops } from '#db/schema/places.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'

type Stored = typeof contacts.$inferSelect
export type ContactRow = Stored & { stoppedAt: Date | null; isAsked: boolean | null }

/** Contacts, each with the time at which the person unsubscribed. */
const columns = { ...getColumns(contacts), stoppedAt: mailStops.stoppedAt, isAsked: mailStops.isAsked }
const isStopOf = and(eq(mailStops.accountId, contacts.accountId), eq(mailStops.email, contacts.email))

export const listVisibleContacts = (db: DbReader, viewer: Viewer): Promise<ContactRow[]> =>
  db.select(columns).from(contacts).leftJoin(mailStops, isStopOf).where(ofAccount(contacts.accountId, viewer))

export async function findVisibleContact(db: DbReader, viewer: Viewer, id: number): Promise<ContactRow | undefined> {
  const match = and(eq(contacts.id, id), ofAccount(contacts.accountId, viewer))
  const [row] = await db.select(columns).from(contacts).leftJoin(mailStops, isStopOf).where(match)
  return row
}

export const countContacts = (db: DbReader, accountId: number) => db.$count(contacts, eq(contacts.accountId, accountId))

export async function insertContact(tx: Tx, contact: Omit<Stored, 'id'>) {
  const [row] = await tx.insert(contacts).values(contact).onConflictDoNothing().returning()
  return row
}

/** Returns false when another contact of the account has the e-mail. */
export async function updateContact(tx: Tx, { id, ...values }: Stored) {
  const isOther = and(eq(contacts.accountId, values.accountId), eq(contacts.email, values.email), ne(contacts.id, id))
  if ((await tx.$count(contacts, isOther)) > 0) return false
  await tx.update(contacts).set(values).where(eq(contacts.id, id))
  return true
}

export async function removeContact(tx: Tx, id: number) {
  const ended = await tx.delete(contacts).where(eq(contacts.id, id)).returning()
  await recordEndings(tx, 'contact', ended.map(nameOfContact))
}

type Address = { accountId: number; email: string }

const isOf = ({ accountId, email }: Address) => and(eq(mailStops.accountId, accountId), eq(mailStops.email, email))

export async function findStop(db: DbReader, address: Address) {
  const [row] = await db.select().from(mailStops).where(isOf(address))
  return row
}

/** Unsubscribing again changes nothing, and one who was asked declines. Fails for an erased account. */
export async function insertStop(tx: Tx, stop: Address & { stoppedAt: Date }) {
  const stops = await tx
    .insert(mailStops)
    .values(stop)
    .onConflictDoUpdate({
      target: [mailStops.accountId, mailStops.email],
      set: { stoppedAt: stop.stoppedAt, isAsked: false },
      setWhere: eq(mailStops.isAsked, true),
    })
    .returning()
  if (stops.length > 0) await recordStop(tx, stop)
}

/** Holds alert mails back until the person agrees; returns whether the person has to be asked. */
export async function holdUntilAgreed(tx: Tx, address: Address, now: Date) {
  const held = await tx
    .insert(mailStops)
    .values({ ...address, stoppedAt: now, isAsked: true })
    .onConflictDoNothing()
    .returning()
  return held.length > 0
}

/** Whether a user of the account has confirmed this address. */
export async function isOwnAddress(db: DbReader, { accountId, email }: Address) {
  const own = and(eq(users.accountId, accountId), eq(users.email, email), eq(users.emailConfirmed, true))
  return (await db.$count(users, own)) > 0
}

export const deleteStop = (tx: Tx, address: Address) => tx.delete(mailStops).where(isOf(address))
