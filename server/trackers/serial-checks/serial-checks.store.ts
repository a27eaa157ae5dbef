import { and, eq, gt } from 'drizzle-orm'
import { SERIAL_ATTEMPTS } from '#contracts/lib/constants.ts'
import { serialChecks } from '#db/schema/sharing.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'

/** Attempts left at a tracker's S/N, over all users (D-12); nobody tried yet when there is no row. */
export async function remainingOf(db: Reader, identifier: string) {
  const [check] = await db.select({ remaining: serialChecks.remaining }).from(serialChecks).where(eq(serialChecks.identifier, identifier))
  return check?.remaining ?? SERIAL_ATTEMPTS
}

type Check = Omit<typeof serialChecks.$inferInsert, 'identifier'>

export const saveCheck = (tx: Tx, identifier: string, check: Check) =>
  tx
    .insert(serialChecks)
    .values({ identifier, ...check })
    .onConflictDoUpdate({ target: serialChecks.identifier, set: check })

type Proof = { identifier: string; userId: number; proofHash: string; now: Date }

/** Takes a proof of the serial check, once; false when it is another tracker's or another user's, too old or used. */
export async function takeProof(tx: Tx, { identifier, userId, proofHash, now }: Proof) {
  const isProven = and(
    eq(serialChecks.identifier, identifier),
    eq(serialChecks.proofHash, proofHash),
    eq(serialChecks.proofUserId, userId),
    gt(serialChecks.proofExpiresAt, now),
  )
  const taken = await tx.update(serialChecks).set({ proofHash: null, proofExpiresAt: null, proofUserId: null }).where(isProven).returning()
  return taken.length === 1
}
