import { eq } from 'drizzle-orm'
import { sct2Params } from '#db/schema/devices.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'

export type ParamsRow = typeof sct2Params.$inferSelect

export async function findParams(db: Reader, deviceId: number) {
  const [row] = await db.select().from(sct2Params).where(eq(sct2Params.deviceId, deviceId))
  return row
}

export const saveParams = (tx: Tx, row: ParamsRow) =>
  tx.insert(sct2Params).values(row).onConflictDoUpdate({ target: sct2Params.deviceId, set: row })
