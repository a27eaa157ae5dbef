import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { type EmailKeyKind, emailKeys } from '#db/schema/accounts.ts'

type EmailKey = typeof emailKeys.$inferSelect

/** Expires the unused keys of these kinds, because a newer one was sent or the reason for them has changed. */
export const expireKeys = (tx: Tx, userId: number, kinds: EmailKeyKind[], now: Date) =>
  tx
    .update(emailKeys)
    .set({ expiresAt: now })
    .where(and(eq(emailKeys.userId, userId), inArray(emailKeys.kind, kinds), isNull(emailKeys.usedAt), gt(emailKeys.expiresAt, now)))

/** Expires the unused keys of a kind that were issued after the one that ends at `expiresAt`. */
export const expireLaterKeys = (tx: Tx, { userId, kind, expiresAt }: Pick<EmailKey, 'userId' | 'kind' | 'expiresAt'>, now: Date) =>
  tx
    .update(emailKeys)
    .set({ expiresAt: now })
    .where(and(eq(emailKeys.userId, userId), eq(emailKeys.kind, kind), isNull(emailKeys.usedAt), gt(emailKeys.expiresAt, expiresAt)))

export const insertKey = (tx: Tx, key: typeof emailKeys.$inferInsert) => tx.insert(emailKeys).values(key)

export async function findKey(db: DbReader, hash: string, kinds: EmailKeyKind[]) {
  const [key] = await db
    .select()
    .from(emailKeys)
    .where(and(eq(emailKeys.hash, hash), inArray(emailKeys.kind, kinds)))
  return key
}

export async function findKeyByHash(db: DbReader, hash: string) {
  const [key] = await db.select().from(emailKeys).where(eq(emailKeys.hash, hash))
  return key
}

export const markKeyUsed = (tx: Tx, hash: string, now: Date) => tx.update(emailKeys).set({ usedAt: now }).where(eq(emailKeys.hash, hash))
