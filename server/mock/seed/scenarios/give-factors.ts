import { eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { factorChallenges, passkeys, recoveryCodes, totpSecrets } from '#db/schema/factors.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR, sealSeedSecret } from '#server/mock/seed/records/second-factor.ts'

/** Gives alice the seeded second factor, and ends the open challenges. */
export async function giveFactors(tx: Tx) {
  const { id } = getPersona('alice')
  const secret = sealSeedSecret(SEED_FACTOR.secret, id)
  await tx.update(totpSecrets).set({ userId: id, secret }).where(eq(totpSecrets.userId, SEED_FACTOR.owner))
  await tx.update(recoveryCodes).set({ userId: id })
  await tx.update(passkeys).set({ userId: id })
  await tx.delete(factorChallenges).where(isNotNull(factorChallenges.hash))
}
