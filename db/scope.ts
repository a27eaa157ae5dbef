import { and, type Column, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contracts/lib/constants.ts'
import type { DbReader } from '#db/db.ts'
import { teamDevices } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'

/** Who asks: scope stands in the where clause, so another account's row is not found rather than refused. */
export type Viewer = { userId: number; accountId: number; role: Role }

/** The trackers somebody may see (D-01): support all, a pro member those of the team's list, others their account's. */
export function devicesOf(db: DbReader, viewer: Viewer): SQL | undefined {
  if (viewer.role === 'deepsupport') return sql`1 = 1`
  const ofAccount = eq(devices.accountId, viewer.accountId)
  if (viewer.role !== 'pro') return ofAccount
  const team = db.select({ id: teamDevices.deviceId }).from(teamDevices).where(eq(teamDevices.userId, viewer.userId))
  return and(ofAccount, inArray(devices.id, team))
}

/** What belongs to an account as a whole, such as its places (D-01): support sees that of all. */
export const ofAccount = (accountId: Column, viewer: Viewer): SQL =>
  viewer.role === 'deepsupport' ? sql`1 = 1` : eq(accountId, viewer.accountId)

export type DeviceRow = typeof devices.$inferSelect

/** One tracker within the viewer's scope, or undefined. */
export async function findDevice(db: DbReader, viewer: Viewer, id: number): Promise<DeviceRow | undefined> {
  const [row] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), devicesOf(db, viewer)))
  return row
}
