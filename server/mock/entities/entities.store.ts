import { asc, eq, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { places } from '#db/schema/places.ts'
import type { EntityKind, Row } from './entity-row.ts'

export const listRows = (db: DbReader, { table, key }: EntityKind): Promise<Row[]> => db.select().from(table).orderBy(asc(key))

/** The highest rowid of the kind's table. Links have uuids as keys, so keys cannot be compared. */
export async function readNewestRowId(db: DbReader, { table }: EntityKind): Promise<number> {
  const [row] = await db.select({ n: sql<number>`ifnull(max(rowid), 0)` }).from(table)
  return row?.n ?? 0
}

/** The account of a user, with a tracker and a place that new rows can refer to. */
export async function findOwner(db: DbReader, userId: number) {
  const [owner] = await db.select().from(users).where(eq(users.id, userId))
  if (!owner) return undefined
  const { accountId, passwordHash } = owner
  const [device] = await db
    .select({ id: devices.id })
    .from(devices)
    .where(eq(devices.accountId, accountId))
    .orderBy(asc(devices.id))
    .limit(1)
  const [place] = await db.select({ id: places.id }).from(places).where(eq(places.accountId, accountId)).orderBy(asc(places.id)).limit(1)
  return { accountId, passwordHash, deviceId: device?.id ?? null, placeId: place?.id ?? null }
}

export async function createAccount(tx: Tx) {
  const [account] = await tx.insert(accounts).values({}).returning({ id: accounts.id })
  return account!.id
}

export async function insertRow(tx: Tx, { table }: EntityKind, row: Row): Promise<Row> {
  const [made] = await tx
    .insert(table)
    .values(row as never)
    .returning()
  return made as Row
}

export async function updateRow(tx: Tx, { table, key }: EntityKind, id: string, row: Row): Promise<Row | undefined> {
  const [found] = await tx.select().from(table).where(eq(key, id))
  if (!found || Object.keys(row).length === 0) return found
  const [changed] = await tx
    .update(table)
    .set(row as never)
    .where(eq(key, id))
    .returning()
  return changed as Row
}

export async function removeRow(tx: Tx, { table, key }: EntityKind, id: string) {
  const removed = await tx.delete(table).where(eq(key, id)).returning()
  return removed.length > 0
}
