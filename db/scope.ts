import { and, type Column, eq, gt, inArray, isNull, ne, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Role, rights } from '#contracts/lib/rights.ts'
import type { Scope } from '#contracts/lib/scopes.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { DbReader, LockFinder } from '#db/db.ts'
import { teamDevices, tokens, users } from '#db/schema/accounts.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { devices } from '#db/schema/devices.ts'
import { apiTokenDevices, apiTokens } from '#db/schema/security.ts'
import { theftReports } from '#db/schema/sharing.ts'
import { isAnyOf } from './given-rows.ts'
import { improved, preparedOn } from './prepared.ts'
import { SESSION_IDLE_DAYS } from './sessions.ts'

/**
 * The viewer of a request: scope stands in the where clause, so another account's row is not found rather than rejected. `limitedTo` is the
 * hash of an API token that gives access to only some of the trackers. A program with an API token gets no S/N, with which it could take
 * the tracker over.
 */
export type Viewer = { userId: number; accountId: number; role: Role; limitedTo?: string; isProgram?: true }

/** The signed-in user with their e-mail address. `scopes` limits what a program with an API token may do. */
export type SignedIn = Viewer & { email: string; lastSeenAt: Date; scopes?: readonly Scope[] }

/** Finds the user of a session or API token by the hash of its secret, unless it has expired or was unused for too long. */
export async function findViewer(db: DbReader, hash: string, now: Date): Promise<SignedIn | undefined> {
  return (await findViewers(db, [hash], now)).get(hash)
}

/** The same for several secrets; those without a user are missing. */
export async function findViewers(db: DbReader, hashes: readonly string[], now: Date) {
  const viewers = new Map<string, SignedIn>()
  const { viewer, tokenHolder } = statementsOn(db)
  const [at, idle] = [now.getTime(), idleSince(now).getTime()]
  for (const row of await executeForAll(hashes, (secrets) => viewer.execute({ hash: secrets, now: at, idle }))) {
    const { hash, userId, accountId, role, email, lastSeenAt } = row
    viewers.set(hash, { userId, accountId, role, email, lastSeenAt })
  }
  const others = hashes.filter((hash) => !viewers.has(hash))
  if (others.length === 0) return viewers
  for (const row of await executeForAll(others, (secrets) => tokenHolder.execute({ hash: secrets, now: at }))) {
    const { hash, isLimited, lastUsedAt, ...holder } = row
    viewers.set(hash, { ...holder, lastSeenAt: lastUsedAt ?? new Date(0), isProgram: true, ...(isLimited && { limitedTo: hash }) })
  }
  return viewers
}

/** PostgreSQL finds all secrets with one statement, SQLite one by one. */
async function executeForAll<Row>(hashes: readonly string[], execute: (secrets: string | readonly string[]) => PromiseLike<Row[]>) {
  if (!hasOneWriter) return execute(hashes)
  const rows: Row[] = []
  for (const hash of hashes) for (const row of await execute(hash)) rows.push(row)
  return rows
}

/** Sessions last used at this time or earlier have expired. */
export const idleSince = (now: Date) => new Date(now.getTime() - SESSION_IDLE_DAYS * DAY_MS)

/** Any viewer of a role, for prepared statements. */
type AnyViewer = { userId: Placeholder | SQL; accountId: Placeholder | SQL; role: Role; limitedTo?: Placeholder | SQL }

/** `readValue` returns where a statement finds a value of its viewer: by default it receives the values by name. */
const anyViewer = (role: Role, isLimited: boolean, readValue: (name: string) => Placeholder | SQL): AnyViewer => ({
  userId: readValue('userId'),
  accountId: readValue('accountId'),
  role,
  ...(isLimited && { limitedTo: readValue('limitedTo') }),
})

/** Several viewers as rows of a statement of PostgreSQL with the columns of a viewer and their number `nth`, from 1 on. */
export const GIVEN_VIEWERS = sql`unnest(${sql.placeholder('userIds')}::bigint[], ${sql.placeholder('accountIds')}::bigint[], ${sql.placeholder('tokens')}::text[])
  with ordinality as given("userId", "accountId", "limitedTo", nth)`

/** The placeholders of `GIVEN_VIEWERS`. */
export const giveViewers = (viewers: readonly Viewer[]) => ({
  userIds: viewers.map(({ userId }) => userId),
  accountIds: viewers.map(({ accountId }) => accountId),
  tokens: viewers.map(({ limitedTo }) => limitedTo ?? null),
})

/**
 * The trackers a viewer may see (D-01): support all, a pro member those of the team's list, others their account's; with a limited API
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

/** The condition on users of an account that they see these trackers of it: members of a team see those of their list. */
export const seesTrackers = (db: DbReader, ids: readonly number[]) => {
  const team = (id: number) => db.select({ id: teamDevices.userId }).from(teamDevices).where(eq(teamDevices.deviceId, id))
  return or(ne(users.role, 'pro'), and(...ids.map((id) => inArray(users.id, team(id)))))
}

/** Whether the viewer may see only some trackers of the account. */
export const seesSomeTrackers = ({ role, limitedTo }: Viewer) => role === 'pro' || limitedTo !== undefined

/** Scope of objects that belong to a whole account, such as places (D-01): support sees those of all accounts. */
export const ofAccount = (accountId: Column, viewer: Viewer): SQL =>
  viewer.role === 'deepsupport' ? sql`1 = 1` : eq(accountId, viewer.accountId)

export type DeviceRow = typeof devices.$inferSelect

/** The other tracker of a rule about two, for statements that join both. */
export const otherDevices = alias(devices, 'other_devices')

/** Viewers of one kind differ in their values only, so one statement serves them all. */
export const kindOf = ({ role, limitedTo }: Viewer) => `${role} ${limitedTo !== undefined}`

/**
 * A statement about trackers, prepared once for each kind of scope. It is executed with the viewer's values by name, or finds them in rows of
 * `GIVEN_VIEWERS` if `readValue` is `given`.
 */
export function preparedByScope<T>(
  db: DbReader,
  prepare: (scope: SQL | undefined) => T,
  readValue: (name: string) => Placeholder | SQL = (name) => sql.placeholder(name),
) {
  const known = new Map<string, T>()
  return (viewer: Viewer) => {
    const key = kindOf(viewer)
    const statement = known.get(key) ?? improved(prepare(devicesOf(db, anyViewer(viewer.role, viewer.limitedTo !== undefined, readValue))))
    known.set(key, statement)
    return statement
  }
}

const statementsOn = preparedOn((db: DbReader) => ({
  viewer: db
    .select({
      hash: tokens.hash,
      userId: users.id,
      accountId: users.accountId,
      role: users.role,
      email: users.email,
      lastSeenAt: tokens.lastSeenAt,
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        hasOneWriter ? eq(tokens.hash, sql.placeholder('hash')) : isAnyOf(tokens.hash, 'hash', 'text'),
        gt(tokens.expiresAt, sql`${sql.placeholder('now')}`),
        gt(tokens.lastSeenAt, sql`${sql.placeholder('idle')}`),
      ),
    )
    .prepare(),
  tokenHolder: db
    .select({
      hash: apiTokens.hash,
      userId: users.id,
      accountId: users.accountId,
      role: users.role,
      email: users.email,
      scopes: apiTokens.scopes,
      isLimited: apiTokens.isLimited,
      lastUsedAt: apiTokens.lastUsedAt,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(
        hasOneWriter ? eq(apiTokens.hash, sql.placeholder('hash')) : isAnyOf(apiTokens.hash, 'hash', 'text'),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`${sql.placeholder('now')}`)),
        // A user whose role changes loses the tokens of the old role.
        inArray(users.role, rights.ownTrackers),
      ),
    )
    .prepare(),
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

/** Locks the account of a user; nothing for an unknown caller. */
export const userLock = (id: number | null | undefined) =>
  lockAccounts(async (db) => (id ? db.select({ accountId: users.accountId }).from(users).where(eq(users.id, id)) : []))

/** Whether the owner has reported the tracker stolen and the report is still open. */
export async function hasOpenReport(db: DbReader, deviceId: number) {
  return (await db.$count(theftReports, and(eq(theftReports.deviceId, deviceId), eq(theftReports.status, 'open')))) > 0
}
