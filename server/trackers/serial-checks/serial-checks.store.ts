import { and, eq, gt } from 'drizzle-orm'
import { SERIAL_ATTEMPTS } from '#contracts/lib/constants.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { serialChecks } from '#db/schema/sharing.ts'
import { isSameSecret } from '#server/lib/secrets.ts'

/** Serial attempts left for a tracker, over all users; all of them without a row. */
export async function countRemainingAttempts(db: DbReader, identifier: string) {
  const [check] = await db.select({ remaining: serialChecks.remaining }).from(serialChecks).where(eq(serialChecks.identifier, identifier))
  return check?.remaining ?? SERIAL_ATTEMPTS
}

type Check = Omit<typeof serialChecks.$inferInsert, 'identifier'>

export const saveSerialCheck = (tx: Tx, identifier: string, check: Check) =>
  tx
    .insert(serialChecks)
    .values({ identifier, ...check })
    .onConflictDoUpdate({ target: serialChecks.identifier, set: check })

type Proof = { identifier: string; userId: number; proofHash: string; now: Date }

/** Consumes a serial proof; returns false when it is used, expired, or of another tracker or user. */
export async function consumeProof(tx: Tx, { identifier, userId, proofHash, now }: Proof) {
  const isProven = and(
    eq(serialChecks.identifier, identifier),
    eq(serialChecks.proofHash, proofHash),
    eq(serialChecks.proofUserId, userId),
    gt(serialChecks.proofExpiresAt, now),
  )
  const consumed = await tx
    .update(serialChecks)
    .set({ proofHash: null, proofExpiresAt: null, proofUserId: null })
    .where(isProven)
    .returning()
  return consumed.length === 1
}

type SerialCheckResult = { isRight: boolean; remaining: number }

/**
 * Checks a serial: a wrong one costs an attempt, a right one restores all, and without attempts left even the right one is refused. Check
 * and count share a transaction, which must be committed also after a refusal.
 */
export async function checkSerial(
  tx: Tx,
  identifier: string,
  { serial, actual }: { serial: string; actual: string | null },
): Promise<SerialCheckResult> {
  const before = await countRemainingAttempts(tx, identifier)
  if (before === 0) return { isRight: false, remaining: 0 }
  const isRight = actual !== null && isSameSecret(serial, actual)
  const remaining = isRight ? SERIAL_ATTEMPTS : before - 1
  await saveSerialCheck(tx, identifier, { remaining })
  return { isRight, remaining }
}
