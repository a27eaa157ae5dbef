import { and, asc, desc, eq, gt, isNull, like, or, type SQL } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { apiTokenDevices, apiTokens } from '#db/schema/security.ts'

export type TokenRow = typeof apiTokens.$inferSelect
export type ListedToken = { token: TokenRow; devices: number[] }

/** The user's tokens that have not expired, newest first, with their trackers. */
export async function listTokens(db: DbReader, userId: number, now: Date): Promise<ListedToken[]> {
  const isOpen = or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now))
  const rows = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), isOpen))
    .orderBy(desc(apiTokens.createdAt), apiTokens.hash)
  const limits = await db
    .select({ hash: apiTokenDevices.tokenHash, deviceId: apiTokenDevices.deviceId })
    .from(apiTokenDevices)
    .innerJoin(apiTokens, eq(apiTokens.hash, apiTokenDevices.tokenHash))
    .where(eq(apiTokens.userId, userId))
    .orderBy(asc(apiTokenDevices.deviceId))
  return rows.map((token) => ({ token, devices: limits.filter(({ hash }) => hash === token.hash).map(({ deviceId }) => deviceId) }))
}

/** Inserts a token; it gives access only to the listed trackers, or with null to all of the account. */
export async function insertApiToken(tx: Tx, token: Omit<TokenRow, 'isLimited' | 'lastUsedAt'>, devices: number[] | null) {
  await tx.insert(apiTokens).values({ ...token, isLimited: devices !== null })
  if (devices) await tx.insert(apiTokenDevices).values(devices.map((deviceId) => ({ tokenHash: token.hash, deviceId })))
}

export const deleteTokens = (tx: Tx, userId: number) => endTokens(tx, eq(apiTokens.userId, userId))

/** Deletes the tokens of a user whose hash begins with the text. */
export const deleteNamedTokens = (tx: Tx, userId: number, start: string) =>
  endTokens(tx, and(eq(apiTokens.userId, userId), like(apiTokens.hash, `${start}%`)))

async function endTokens(tx: Tx, which: SQL | undefined) {
  const ended = await tx.delete(apiTokens).where(which).returning({ hash: apiTokens.hash, label: apiTokens.label })
  await recordEndings(
    tx,
    'api_token',
    ended.map(({ hash }) => hash),
  )
  return ended
}
