import { and, eq, gt, or, sql } from 'drizzle-orm'
import { RECENT_SIGN_IN_MINUTES, SESSION_IDLE_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { deviceKeys } from '#db/schema/devices.ts'
import type { Viewer } from './scope.ts'

const prepared = new WeakMap<DbReader, ReturnType<typeof prepare>>()

/** Who is signed in, and the address by which people know them. */
export type SignedIn = Viewer & { email: string; lastSeenAt: Date }

/** Whose session the hashed token is, unless it has ended or was unused for too long. */
export async function viewerOf(db: DbReader, hash: string, now: Date): Promise<SignedIn | undefined> {
  const [viewer] = await statements(db).viewer.execute({ hash, now: now.getTime(), idle: idleSince(now).getTime() })
  return viewer
}

/** Sessions that were last used then, or earlier, have ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - SESSION_IDLE_DAYS * DAY_MS)

export const markSeen = (tx: Tx, hash: string, lastSeenAt: Date) => tx.update(tokens).set({ lastSeenAt }).where(eq(tokens.hash, hash))

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

/** Who signs a message with a key: one tracker, or a gateway that speaks for all when `deviceId` is null. */
export type Speaker = { keyId: number; deviceId: number | null; lastUsedAt: Date | null }

/** Whose key the hashed one is, unless it is unknown or revoked. */
export async function speakerOf(db: DbReader, hash: string): Promise<Speaker | undefined> {
  const [speaker] = await statements(db).speaker.execute({ hash })
  return speaker
}

export const markUsed = (tx: Tx, keyId: number, lastUsedAt: Date) =>
  tx.update(deviceKeys).set({ lastUsedAt }).where(eq(deviceKeys.id, keyId))

function statements(db: DbReader) {
  const known = prepared.get(db) ?? prepare(db)
  prepared.set(db, known)
  return known
}

const prepare = (db: DbReader) => ({
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
  speaker: db
    .select({ keyId: deviceKeys.id, deviceId: deviceKeys.deviceId, lastUsedAt: deviceKeys.lastUsedAt })
    .from(deviceKeys)
    .where(eq(deviceKeys.hash, sql.placeholder('hash')))
    .prepare(),
})
