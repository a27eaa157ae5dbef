import { and, type Column, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contracts/lib/constants.ts'
import type { DbReader, LockFinder } from '#db/db.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { apiTokenDevices } from '#db/schema/security.ts'
import { improved, preparedOn } from './prepared.ts'

/**
 * Who asks: scope stands in the where clause, so another account's row is not found rather than refused. `limitedTo` is the hash of an API
 * token that reaches only some of the trackers. A program with an API token gets no S/N, with which it could take the tracker over.
 */
export type Viewer = { userId: number; accountId: number; role: Role; limitedTo?: string; isProgram?: true }
/** Any viewer of a role, for prepared statements, which get the values by name. */
type AnyViewer = { userId: Placeholder; accountId: Placeholder; role: Role; limitedTo?: Placeholder }

const anyViewer = (role: Role, isLimited: boolean): AnyViewer => ({
  userId: sql.placeholder('userId'),
  accountId: sql.placeholder('accountId'),
  role,
  ...(isLimited && { limitedTo: sql.placeholder('limitedTo') }),
})

/**
 * The trackers a viewer may see (D-01): support all, a pro member those of the team's list, others their account's; through a limited API
 * token only those of the token among them.
 */
export function devicesOf(db: DbReader, viewer: Viewer | AnyViewer): SQL | undefined {
  const ofRole = devicesOfRole(db, viewer)
  if (viewer.limitedTo === undefined) return ofRole
  const ofToken = db.select({ id: apiTokenDevices.deviceId }).from(apiTokenDevices).where(eq(apiTokenDevices.tokenHash, viewer.limitedTo))
  return and(ofRole, inArray(devices.id, ofToken))
}

function devicesOfRole(db: DbReader, viewer: Viewer | AnyViewer): SQL | undefined {
  if (viewer.role === 'deepsupport') return sql`1 = 1`
  const ofAccount = eq(devices.accountId, viewer.accountId)
  if (viewer.role !== 'pro') return ofAccount
  const team = db.select({ id: teamDevices.deviceId }).from(teamDevices).where(eq(teamDevices.userId, viewer.userId))
  return and(ofAccount, inArray(devices.id, team))
}

/** Whether the viewer may see only some trackers of the account. */
export const seesSomeTrackers = ({ role, limitedTo }: Viewer) => role === 'pro' || limitedTo !== undefined

/** What belongs to an account as a whole, such as its places (D-01): support sees that of all. */
export const ofAccount = (accountId: Column, viewer: Viewer): SQL =>
  viewer.role === 'deepsupport' ? sql`1 = 1` : eq(accountId, viewer.accountId)

export type DeviceRow = typeof devices.$inferSelect

/** A statement about trackers, prepared once for each kind of scope. It is executed with the viewer's values by name. */
export function preparedByScope<T>(db: DbReader, prepare: (scope: SQL | undefined) => T) {
  const known = new Map<string, T>()
  return ({ role, limitedTo }: Viewer) => {
    const isLimited = limitedTo !== undefined
    const key = `${role} ${isLimited}`
    const statement = known.get(key) ?? improved(prepare(devicesOf(db, anyViewer(role, isLimited))))
    known.set(key, statement)
    return statement
  }
}

const statementsOn = preparedOn((db: DbReader) => ({
  find: preparedByScope(db, (scope) =>
    db
      .select()
      .from(devices)
      .where(and(eq(devices.id, sql.placeholder('id')), scope))
      .prepare(),
  ),
  listIds: preparedByScope(db, (scope) => db.select({ id: devices.id }).from(devices).where(scope).prepare()),
}))

/** One tracker within the viewer's scope, or undefined. */
export async function findDevice(db: DbReader, viewer: Viewer, id: number): Promise<DeviceRow | undefined> {
  const { userId, accountId, limitedTo } = viewer
  const [row] = await statementsOn(db).find(viewer).execute({ id, userId, accountId, limitedTo })
  return row
}

/** Ids of all trackers within the viewer's scope. */
export async function listDeviceIds(db: DbReader, viewer: Viewer): Promise<number[]> {
  const { userId, accountId, limitedTo } = viewer
  const rows = await statementsOn(db).listIds(viewer).execute({ userId, accountId, limitedTo })
  return rows.map((row) => row.id)
}

/** Locks the accounts of the rows that `find` returns. */
export const lockAccounts =
  (find: (db: DbReader) => PromiseLike<{ accountId: number }[]>): LockFinder =>
  async (db) =>
    [...new Set((await find(db)).map(({ accountId }) => accountId))].map((accountId) => `account:${accountId}` as const)

/** Locks the account of a tracker, which never changes: a tracker that is removed and added again is a new row. */
export const deviceLock = (id: number) =>
  lockAccounts((db) => db.select({ accountId: devices.accountId }).from(devices).where(eq(devices.id, id)))

/** Locks the account of a user; nothing for a caller that is not known. */
export const userLock = (id: number | null | undefined) =>
  lockAccounts(async (db) => (id ? db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id)) : []))
