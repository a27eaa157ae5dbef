import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { RECENT_SIGN_IN_MINUTES, SESSION_IDLE_DAYS } from '#contracts/lib/constants.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Scope } from '#contracts/lib/scopes.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { deviceKeys } from '#db/schema/devices.ts'
import { apiTokens } from '#db/schema/security.ts'
import { preparedOn } from './prepared.ts'
import type { Viewer } from './scope.ts'

/** The signed-in user with their e-mail address. `scopes` limits what a program with an API token may do. */
export type SignedIn = Viewer & { email: string; lastSeenAt: Date; scopes?: readonly Scope[] }

/** Finds the user of a session or API token by the hash of its secret, unless it has ended or was unused for too long. */
export async function findViewer(db: DbReader, hash: string, now: Date): Promise<SignedIn | undefined> {
  const [viewer] = await statements(db).viewer.execute({ hash, now: now.getTime(), idle: idleSince(now).getTime() })
  return viewer ?? tokenHolderOf(db, hash, now)
}

async function tokenHolderOf(db: DbReader, hash: string, now: Date): Promise<SignedIn | undefined> {
  const [holder] = await statements(db).tokenHolder.execute({ hash, now: now.getTime() })
  if (!holder) return undefined
  const { isLimited, lastUsedAt, ...viewer } = holder
  return { ...viewer, lastSeenAt: lastUsedAt ?? new Date(0), isProgram: true, ...(isLimited && { limitedTo: hash }) }
}

/** Sessions that were last used then, or earlier, have ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - SESSION_IDLE_DAYS * DAY_MS)

export const markSeen = (tx: Tx, hash: string, lastSeenAt: Date) => tx.update(tokens).set({ lastSeenAt }).where(eq(tokens.hash, hash))

export const markTokenUsed = (tx: Tx, hash: string, lastUsedAt: Date) =>
  tx.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.hash, hash))

/** Whether the user signed in with this session, or confirmed it, within the last ten minutes. */
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

/** The sender that a device key stands for: one tracker, or a gateway for all trackers when `deviceId` is null. */
export type Speaker = { keyId: number; deviceId: number | null; lastUsedAt: Date | null }

/** Finds the sender of a hashed key; undefined when the key is unknown or revoked. */
export async function findSpeaker(db: DbReader, hash: string): Promise<Speaker | undefined> {
  const [speaker] = await statements(db).speaker.execute({ hash })
  return speaker
}

export const markUsed = (tx: Tx, keyId: number, lastUsedAt: Date) =>
  tx.update(deviceKeys).set({ lastUsedAt }).where(eq(deviceKeys.id, keyId))

const statements = preparedOn((db: DbReader) => ({
  viewer: db
    .select({ userId: users.id, accountId: users.accountId, role: users.role, email: users.email, lastSeenAt: tokens.lastSeenAt })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        eq(tokens.hash, sql.placeholder('hash')),
        gt(tokens.expiresAt, sql`${sql.placeholder('now')}`),
        gt(tokens.lastSeenAt, sql`${sql.placeholder('idle')}`),
      ),
    )
    .prepare(),
  tokenHolder: db
    .select({
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
        eq(apiTokens.hash, sql.placeholder('hash')),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`${sql.placeholder('now')}`)),
        // A user whose role changes loses the tokens of the old role.
        inArray(users.role, rights.ownTrackers),
      ),
    )
    .prepare(),
  speaker: db
    .select({ keyId: deviceKeys.id, deviceId: deviceKeys.deviceId, lastUsedAt: deviceKeys.lastUsedAt })
    .from(deviceKeys)
    .where(eq(deviceKeys.hash, sql.placeholder('hash')))
    .prepare(),
}))
