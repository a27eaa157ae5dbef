import { and, desc, eq, gt, inArray, isNull, like, lt, lte, ne, or, type SQL } from 'drizzle-orm'
import type { SecurityKind } from '#contracts/lib/security-kinds.ts'
import { normalizeIdentifier } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { listSpellings } from '#db/people.ts'
import { accounts, knownBrowsers, tokens, users } from '#db/schema/accounts.ts'
import { invoices, orders } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { alertFirings, alerts, places } from '#db/schema/places.ts'
import { apiTokens, securityLog } from '#db/schema/security.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import type { Viewer } from '#db/scope.ts'
import { idleSince } from '#db/scope.ts'

export type EntryRow = typeof securityLog.$inferSelect
export type NewEntry = typeof securityLog.$inferInsert

export const insertEntries = (tx: Tx, entries: NewEntry[]) => tx.insert(securityLog).values(entries)

/** Whether there has been a line of the kind about the user from the network since then. */
export async function hasEntrySince(tx: Tx, { kind, userId, place }: Pick<EntryRow, 'kind' | 'place'> & { userId: number }, since: Date) {
  const fromPlace = place === null ? isNull(securityLog.place) : eq(securityLog.place, place)
  const same = and(eq(securityLog.userId, userId), eq(securityLog.kind, kind), fromPlace, gt(securityLog.at, since))
  return (await tx.select({ id: securityLog.id }).from(securityLog).where(same).limit(1)).length > 0
}

/** Whether there has been a line about a use of the expired link or API token since then. */
export async function hasEndedUseSince(tx: Tx, { accountId, userId, about }: Ended, since: Date) {
  const ofUser = userId === null ? isNull(securityLog.userId) : eq(securityLog.userId, userId)
  const ofKey = about === null ? isNull(securityLog.about) : eq(securityLog.about, about)
  const same = and(eq(securityLog.accountId, accountId), eq(securityLog.kind, 'ended_key_used'), ofUser, ofKey, gt(securityLog.at, since))
  return (await tx.select({ id: securityLog.id }).from(securityLog).where(same).limit(1)).length > 0
}

type Ended = Subject & { userId: number | null }

/** The account of a public link that is stored but no longer valid. */
export async function findEndedLink(db: DbReader, uuid: string): Promise<Ended | undefined> {
  const [link] = await db
    .select({ accountId: devices.accountId, aboutId: devices.id, about: devices.name })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(eq(publicLinks.uuid, uuid))
  return link && { ...link, userId: null }
}

/** The user of an API token that is stored but expired. */
export async function findEndedToken(db: DbReader, hash: string, now: Date): Promise<Ended | undefined> {
  const [token] = await db
    .select({ accountId: users.accountId, userId: users.id, about: apiTokens.label })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.hash, hash), lte(apiTokens.expiresAt, now)))
  return token && { ...token, aboutId: null }
}

/** Rejected calls of a member, which the administrator of the team sees too. */
const REFUSED_CALLS: SecurityKind[] = ['permission_refused', 'call_refused', 'limit_reached']

/** Lines about the user; for owners and administrators also lines about the account and rejected calls of its members; newest first. */
export function listEntries(db: DbReader, { userId, accountId, role }: Viewer, { before, limit }: { before?: number; limit: number }) {
  const ofUser = eq(securityLog.userId, userId)
  const ofAccount = or(isNull(securityLog.userId), inArray(securityLog.kind, REFUSED_CALLS))
  const concerns = role === 'pro' ? ofUser : or(ofUser, ofAccount)
  return db
    .select()
    .from(securityLog)
    .where(and(eq(securityLog.accountId, accountId), concerns, before === undefined ? undefined : lt(securityLog.id, before)))
    .orderBy(desc(securityLog.id))
    .limit(limit)
}

export type ReadRequest = { path: string; params: unknown; query: unknown }

/** An account whose data a response shows, and the tracker if it concerns one. */
type Subject = { accountId: number; aboutId: number | null; about: string | null }

/** The accounts whose data the response to a request shows: of one object, or else all. */
export async function findSubjects(db: DbReader, { path, params, query }: ReadRequest): Promise<Subject[]> {
  const { id, reference } = params as Partial<Record<string, string>>
  const { device, place, identifier } = query as Partial<Record<string, string>>
  if (path.startsWith('/devices/:id/')) return findTracker(db, eq(devices.id, Number(id)))
  if (path === '/tracker_places/:id/') return findAccounts(db, places, eq(places.id, Number(id)))
  if (path === '/tracker_alerts/:id/') return findAccounts(db, alerts, eq(alerts.id, Number(id)))
  if (path === '/users/invoices/:id/pdf/') return findAccounts(db, invoices, eq(invoices.id, Number(id)))
  if (path === '/users/orders/:reference/') return findAccounts(db, orders, eq(orders.reference, String(reference)))
  if (path === '/devices/trackers/serial_check/') {
    return findTracker(db, eq(devices.identifier, normalizeIdentifier(String(identifier)) ?? ''))
  }
  if (path === '/alert_firings/' && device !== undefined) return findTracker(db, eq(devices.id, Number(device)))
  if (path === '/alert_firings/' && place !== undefined) return findAccounts(db, places, eq(places.id, Number(place)))
  if (path === '/alert_firings/:id/') {
    const found = db
      .select({ id: alertFirings.deviceId })
      .from(alertFirings)
      .where(eq(alertFirings.id, Number(id)))
    return findTracker(db, inArray(devices.id, found))
  }
  const all = await db.select({ accountId: accounts.id }).from(accounts).orderBy(accounts.id)
  return all.map(({ accountId }) => ({ accountId, aboutId: null, about: null }))
}

const findTracker = (db: DbReader, which: SQL): Promise<Subject[]> =>
  db.select({ accountId: devices.accountId, aboutId: devices.id, about: devices.name }).from(devices).where(which)

async function findAccounts(db: DbReader, from: typeof places | typeof alerts | typeof invoices | typeof orders, which: SQL) {
  const found = await db.select({ accountId: from.accountId }).from(from).where(which)
  return found.map(({ accountId }) => ({ accountId, aboutId: null, about: null }))
}

type Read = { kind: SecurityKind; actorId: number; aboutId: number | null }

/** Accounts whose log records since then that the person read the tracker or, when null, data that concerns no single tracker. */
export async function listReadAccounts(db: DbReader, { kind, actorId, aboutId }: Read, since: Date) {
  const ofTracker = aboutId === null ? isNull(securityLog.aboutId) : eq(securityLog.aboutId, aboutId)
  const rows = await db
    .selectDistinct({ accountId: securityLog.accountId })
    .from(securityLog)
    .where(and(eq(securityLog.actorId, actorId), gt(securityLog.at, since), eq(securityLog.kind, kind), ofTracker))
  return new Set(rows.map(({ accountId }) => accountId))
}

export type BrowserRow = typeof knownBrowsers.$inferSelect

/** The browsers that a user has signed in with, most recently used first. */
export const listBrowsers = (db: DbReader, userId: number): Promise<BrowserRow[]> =>
  db.select().from(knownBrowsers).where(eq(knownBrowsers.userId, userId)).orderBy(desc(knownBrowsers.lastSeenAt), knownBrowsers.hash)

export const saveBrowser = (tx: Tx, { userId, hash, ...seen }: BrowserRow) =>
  tx
    .insert(knownBrowsers)
    .values({ userId, hash, ...seen })
    .onConflictDoUpdate({ target: [knownBrowsers.userId, knownBrowsers.hash], set: seen })

export const deleteBrowsers = (tx: Tx, userId: number, hashes: string[]) =>
  tx.delete(knownBrowsers).where(and(eq(knownBrowsers.userId, userId), inArray(knownBrowsers.hash, hashes)))

/** The user's sessions that have not expired, most recently used first. */
export const listSessions = (db: DbReader, userId: number, now: Date) =>
  db
    .select()
    .from(tokens)
    .where(and(eq(tokens.userId, userId), gt(tokens.expiresAt, now), gt(tokens.lastSeenAt, idleSince(now))))
    .orderBy(desc(tokens.lastSeenAt), desc(tokens.createdAt), tokens.hash)

export const deleteSession = (tx: Tx, hash: string) => tx.delete(tokens).where(eq(tokens.hash, hash))

/** Deletes the sessions of a user whose hash begins with the text. */
export const deleteNamedSessions = (tx: Tx, userId: number, start: string) => deleteSessions(tx, userId, like(tokens.hash, `${start}%`))

/** Deletes all sessions of a user but one. */
export const deleteOtherSessions = (tx: Tx, userId: number, kept: string | null) =>
  deleteSessions(tx, userId, kept === null ? undefined : ne(tokens.hash, kept))

const deleteSessions = (tx: Tx, userId: number, which: SQL | undefined) =>
  tx
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), which))
    .returning({ hash: tokens.hash, agent: tokens.agent })

export async function findUserId(db: DbReader, email: string) {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.email, listSpellings(email)))
  return user?.id
}

/** User and account of a user, or of all users when null. */
export const listUsers = (db: DbReader, userId: number | null) =>
  db
    .select({ userId: users.id, accountId: users.accountId })
    .from(users)
    .where(userId === null ? undefined : eq(users.id, userId))

/** Deletes the sessions of a user, or of all users when null. */
export const deleteAllSessions = (tx: Tx, userId: number | null) =>
  tx
    .delete(tokens)
    .where(userId === null ? undefined : eq(tokens.userId, userId))
    .returning({ userId: tokens.userId })

/** Deletes the API tokens of a user, or of all users when null. */
export const deleteAllApiTokens = (tx: Tx, userId: number | null) =>
  tx
    .delete(apiTokens)
    .where(userId === null ? undefined : eq(apiTokens.userId, userId))
    .returning({ userId: apiTokens.userId })
