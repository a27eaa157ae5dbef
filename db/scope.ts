import { and, type Column, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contracts/lib/constants.ts'
import type { DbReader } from '#db/db.ts'
import { teamDevices } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { preparedOn } from './prepared.ts'

/** Who asks: scope stands in the where clause, so another account's row is not found rather than refused. */
export type Viewer = { userId: number; accountId: number; role: Role }
/** Any viewer of a role, for prepared statements, which get the ids as `userId` and `accountId`. */
type AnyViewer = { userId: Placeholder; accountId: Placeholder; role: Role }

const anyViewer = (role: Role): AnyViewer => ({ userId: sql.placeholder('userId'), accountId: sql.placeholder('accountId'), role })

/** The trackers somebody may see (D-01): support all, a pro member those of the team's list, others their account's. */
export function devicesOf(db: DbReader, viewer: Viewer | AnyViewer): SQL | undefined {
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

const statementsOn = preparedOn((db: DbReader) => {
  const byRole = <T>(prepare: (scope: SQL | undefined) => T) => {
    const [all, team, account] = (['deepsupport', 'pro', 'user'] as const).map((role) => prepare(devicesOf(db, anyViewer(role)))) as [
      T,
      T,
      T,
    ]
    return (role: Role) => (role === 'deepsupport' ? all : role === 'pro' ? team : account)
  }
  return {
    find: byRole((scope) =>
      db
        .select()
        .from(devices)
        .where(and(eq(devices.id, sql.placeholder('id')), scope))
        .prepare(),
    ),
    listIds: byRole((scope) => db.select({ id: devices.id }).from(devices).where(scope).prepare()),
  }
})

/** One tracker within the viewer's scope, or undefined. */
export async function findDevice(db: DbReader, { role, userId, accountId }: Viewer, id: number): Promise<DeviceRow | undefined> {
  const [row] = await statementsOn(db).find(role).execute({ id, userId, accountId })
  return row
}

/** Ids of all trackers within the viewer's scope. */
export async function listDeviceIds(db: DbReader, { role, userId, accountId }: Viewer): Promise<number[]> {
  const rows = await statementsOn(db).listIds(role).execute({ userId, accountId })
  return rows.map((row) => row.id)
}
