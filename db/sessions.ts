import { and, eq, gt, or, sql } from 'drizzle-orm'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { tokens } from '#db/schema/accounts.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { deviceKeys } from '#db/schema/devices.ts'
import { apiTokens } from '#db/schema/security.ts'
import { isAnyOf } from './given-rows.ts'
import { preparedOn } from './prepared.ts'

/** Lifetime of a session token. */
export const TOKEN_DAYS = 30
/** A session that is unused for this long expires. */
export const SESSION_IDLE_DAYS = 14
/** Calls that could cost the user the account need a sign-in, or a confirmation of it, within this many minutes. */
export const RECENT_SIGN_IN_MINUTES = 10

export const markSeen = (tx: Tx, hash: string, lastSeenAt: Date) => tx.update(tokens).set({ lastSeenAt }).where(eq(tokens.hash, hash))

export const markTokenUsed = (tx: Tx, hash: string, lastUsedAt: Date) =>
  tx.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.hash, hash))

/** Whether the user signed in with this session, or confirmed their identity in it, within the last ten minutes. */
export async function isRecentSession(db: DbReader, hash: string, now: Date) {
  const since = new Date(now.getTime() - RECENT_SIGN_IN_MINUTES * MINUTE_MS)
  const isRecent = or(gt(tokens.createdAt, since), gt(tokens.confirmedAt, since))
  const rows = await db
    .select({ hash: tokens.hash })
    .from(tokens)
    .where(and(eq(tokens.hash, hash), isRecent))
  return rows.length > 0
}

export const markConfirmed = (tx: Tx, hash: string, confirmedAt: Date) =>
  tx.update(tokens).set({ confirmedAt }).where(eq(tokens.hash, hash))

/** The sender authenticated by a device key: one tracker, or a gateway for all trackers when `deviceId` is null. */
export type AuthenticatedKey = { keyId: number; deviceId: number | null; lastUsedAt: Date | null }

/** Finds the sender of a hashed key; undefined when the key is unknown or revoked. */
export async function findDeviceKey(db: DbReader, hash: string): Promise<AuthenticatedKey | undefined> {
  const [found] = await findDeviceKeys(db, [hash])
  if (!found) return undefined
  const { keyId, deviceId, lastUsedAt } = found
  return { keyId, deviceId, lastUsedAt }
}

/** The same for several keys; those that are unknown or revoked are missing. */
export async function findDeviceKeys(db: DbReader, hashes: readonly string[]): Promise<(AuthenticatedKey & { hash: string })[]> {
  if (!hasOneWriter) return statements(db).deviceKeys.execute({ hashes })
  const found: (AuthenticatedKey & { hash: string })[] = []
  for (const hash of hashes) found.push(...(await statements(db).deviceKeys.execute({ hash })))
  return found
}

export const markUsed = (tx: Tx, keyId: number, lastUsedAt: Date) =>
  tx.update(deviceKeys).set({ lastUsedAt }).where(eq(deviceKeys.id, keyId))

const statements = preparedOn((db: DbReader) => ({
  deviceKeys: db
    .select({ hash: deviceKeys.hash, keyId: deviceKeys.id, deviceId: deviceKeys.deviceId, lastUsedAt: deviceKeys.lastUsedAt })
    .from(deviceKeys)
    .where(hasOneWriter ? eq(deviceKeys.hash, sql.placeholder('hash')) : isAnyOf(deviceKeys.hash, 'hashes', 'text'))
    .prepare(),
}))
