import { and, desc, eq, getTableColumns, isNull } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { isMaker, type Maker, makerColumns } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { deviceKeys, keyMessages } from '#db/schema/devices.ts'
import type { Viewer } from '#db/scope.ts'

const { hash: _, ...shown } = getTableColumns(deviceKeys)

export type KeyRow = Omit<typeof deviceKeys.$inferSelect, 'hash'>

export const listKeys = (db: DbReader, viewer: Viewer, deviceId: number): Promise<{ key: KeyRow; maker: Maker | null }[]> =>
  db
    .select({ key: shown, maker: makerColumns })
    .from(deviceKeys)
    .leftJoin(users, isMaker(deviceKeys.createdBy, viewer))
    .where(eq(deviceKeys.deviceId, deviceId))
    .orderBy(desc(deviceKeys.id))

export async function insertKey(tx: Tx, key: typeof deviceKeys.$inferInsert & { deviceId: number }, most: number) {
  if ((await tx.$count(deviceKeys, eq(deviceKeys.deviceId, key.deviceId))) >= most) return undefined
  const [added] = await tx.insert(deviceKeys).values(key).returning(shown)
  return added
}

export async function removeKey(tx: Tx, deviceId: number, id: number) {
  const removed = await tx
    .delete(deviceKeys)
    .where(and(eq(deviceKeys.id, id), eq(deviceKeys.deviceId, deviceId)))
    .returning({ hash: deviceKeys.hash })
  await recordEndings(
    tx,
    'device_key',
    removed.map(({ hash }) => hash),
  )
  return removed.length === 1
}

/** Keys that belong to no tracker, the newest first. */
export const listGateways = (db: DbReader): Promise<KeyRow[]> =>
  db.select(shown).from(deviceKeys).where(isNull(deviceKeys.deviceId)).orderBy(desc(deviceKeys.id))

export async function insertGateway(tx: Tx, row: { hash: string; label: string; createdAt: Date }): Promise<KeyRow> {
  const [added] = await tx
    .insert(deviceKeys)
    .values({ ...row, deviceId: null, createdBy: null })
    .returning(shown)
  return added!
}

/** Ends a gateway for good, also after a restored backup; undefined when there is none. */
export async function endGateway(tx: Tx, id: number) {
  const [ended] = await tx
    .delete(deviceKeys)
    .where(and(eq(deviceKeys.id, id), isNull(deviceKeys.deviceId)))
    .returning({ label: deviceKeys.label, hash: deviceKeys.hash })
  if (ended) await recordEndings(tx, 'device_key', [ended.hash])
  return ended
}

export type KeyMessageRow = typeof keyMessages.$inferSelect

/** Replaces the previous message with the same key for the same tracker. */
export const saveKeyMessage = (tx: Tx, row: KeyMessageRow) =>
  tx
    .insert(keyMessages)
    .values(row)
    .onConflictDoUpdate({ target: [keyMessages.keyId, keyMessages.deviceId], set: row })

export type ListedKeyMessage = KeyMessageRow & { isGateway: boolean }

/** The last messages for a tracker, newest first. */
export async function listKeyMessages(db: DbReader, deviceId: number): Promise<ListedKeyMessage[]> {
  const rows = await db
    .select({ ...getTableColumns(keyMessages), owner: deviceKeys.deviceId })
    .from(keyMessages)
    .innerJoin(deviceKeys, eq(deviceKeys.id, keyMessages.keyId))
    .where(eq(keyMessages.deviceId, deviceId))
    .orderBy(desc(keyMessages.at), desc(keyMessages.keyId))
  return rows.map(({ owner, ...row }) => ({ ...row, isGateway: owner === null }))
}
