import { and, eq, isNotNull } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { passkeys, totpSecrets } from '#db/schema/factors.ts'

/** Whether the user has an enabled second factor, so that the password alone does not sign in. */
export async function hasFactor(db: DbReader, userId: number) {
  const [totp] = await db
    .select({ userId: totpSecrets.userId })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
  if (totp) return true
  const [passkey] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return passkey !== undefined
}
