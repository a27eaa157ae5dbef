import { and, desc, eq, getTableColumns } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { deviceKeys } from '#db/schema/devices.ts'

const { hash: _, ...shown } = getTableColumns(deviceKeys)

export type KeyRow = Omit<typeof deviceKeys.$inferSelect, 'hash'>

export const listKeys = (db: DbReader, deviceId: number): Promise<KeyRow[]> =>
  db.select(shown).from(deviceKeys).where(eq(deviceKeys.deviceId, deviceId)).orderBy(desc(deviceKeys.id))

export async function insertKey(tx: Tx, key: typeof deviceKeys.$inferInsert & { deviceId: number }, most: number) {
  const known = await listKeys(tx, key.deviceId)
  if (known.length >= most) return undefined
  const [added] = await tx.insert(deviceKeys).values(key).returning(shown)
  return added
}

export async function removeKey(tx: Tx, deviceId: number, id: number) {
  const removed = await tx
    .delete(deviceKeys)
    .where(and(eq(deviceKeys.id, id), eq(deviceKeys.deviceId, deviceId)))
    .returning({ id: deviceKeys.id })
  return removed.length === 1
}
