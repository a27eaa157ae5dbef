import { and, eq, gt, isNull, min, or } from 'drizzle-orm'
import { DAY_MS } from '#contracts/rules/time.ts'
import { SERIAL_ATTEMPTS } from '#contracts/trackers/serial-checks.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { serialAttempts, serialChecks } from '#db/schema/sharing.ts'

/** Attempts of an account at the S/N of a tracker. */
export type Attempts = { remaining: number; lastWrongAt: Date | null }
type AttemptsOf = { identifier: string; accountId: number; now: Date }

/** Wrong S/N count for a day, so that the right one opens the tracker again without support; those without a time count until support unlocks. */
const counts = (now: Date) => or(isNull(serialAttempts.lastWrongAt), gt(serialAttempts.lastWrongAt, new Date(now.getTime() - DAY_MS)))

export async function readAttempts(db: DbReader, { identifier, accountId, now }: AttemptsOf): Promise<Attempts> {
  const { remaining, lastWrongAt } = serialAttempts
  const [row] = await db
    .select({ remaining, lastWrongAt })
    .from(serialAttempts)
    .where(and(isOf(identifier, accountId), counts(now)))
  return row ?? { remaining: SERIAL_ATTEMPTS, lastWrongAt: null }
}

/** Attempts left to the account with the fewest. */
export async function readFewestAttempts(db: DbReader, identifier: string, now: Date) {
  const [row] = await db
    .select({ remaining: min(serialAttempts.remaining) })
    .from(serialAttempts)
    .where(and(eq(serialAttempts.identifier, identifier), counts(now)))
  return row?.remaining ?? SERIAL_ATTEMPTS
}

export const saveAttempts = (tx: Tx, identifier: string, accountId: number, attempts: Attempts) =>
  tx
    .insert(serialAttempts)
    .values({ identifier, accountId, ...attempts })
    .onConflictDoUpdate({ target: [serialAttempts.identifier, serialAttempts.accountId], set: attempts })

/** Restores all attempts of one account, or of all accounts. */
export const restoreAttempts = (tx: Tx, identifier: string, accountId?: number) =>
  tx.delete(serialAttempts).where(accountId === undefined ? eq(serialAttempts.identifier, identifier) : isOf(identifier, accountId))

const isOf = (identifier: string, accountId: number) =>
  and(eq(serialAttempts.identifier, identifier), eq(serialAttempts.accountId, accountId))

type Proof = { proofHash: string; proofExpiresAt: Date; proofUserId: number }

export const saveProof = (tx: Tx, identifier: string, proof: Proof) =>
  tx
    .insert(serialChecks)
    .values({ identifier, remaining: SERIAL_ATTEMPTS, ...proof })
    .onConflictDoUpdate({ target: serialChecks.identifier, set: proof })

type GivenProof = { identifier: string; userId: number; proofHash: string; now: Date }

/** Consumes a serial proof; returns false when it is used, expired, or of another tracker or user. */
export async function consumeProof(tx: Tx, { identifier, userId, proofHash, now }: GivenProof) {
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
