import { and, asc, count, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { hasFactor } from '#db/factors.ts'
import { listSpellings } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { factorChallenges, passkeys, recoveryCodes, totpSecrets } from '#db/schema/factors.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

export async function findTotp(db: DbReader, userId: number) {
  const [row] = await db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId))
  return row
}

export async function findAccount(db: DbReader, userId: number) {
  const [row] = await db.select({ accountId: users.accountId }).from(users).where(eq(users.id, userId))
  return row?.accountId
}

/** Finds the secret of the user with an e-mail, pending ones included. */
export async function findTotpByEmail(db: DbReader, email: string) {
  const [row] = await db
    .select({ totp: totpSecrets })
    .from(totpSecrets)
    .innerJoin(users, eq(users.id, totpSecrets.userId))
    .where(inArray(users.email, listSpellings(email)))
  return row?.totp
}

export const savePendingTotp = (tx: Tx, row: typeof totpSecrets.$inferInsert) =>
  tx.insert(totpSecrets).values(row).onConflictDoUpdate({ target: totpSecrets.userId, set: row })

export const confirmTotp = (tx: Tx, userId: number, { confirmedAt, lastStep }: { confirmedAt: Date; lastStep: number }) =>
  tx.update(totpSecrets).set({ confirmedAt, lastStep }).where(eq(totpSecrets.userId, userId))

export const removeTotp = (tx: Tx, userId: number) => tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId))

/** Marks a half minute as used. Returns false if a code of it, or of a later one, was used before. */
export async function claimStep(tx: Tx, userId: number, step: number) {
  const isLater = or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step))
  const claimed = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), isLater))
    .returning({ userId: totpSecrets.userId })
  return claimed.length > 0
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: string[]) {
  await removeRecoveryCodes(tx, userId)
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ hash, userId })))
}

export const removeRecoveryCodes = (tx: Tx, userId: number) => tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))

export async function claimRecoveryCode(tx: Tx, { userId, hash, now }: { userId: number; hash: string; now: Date }) {
  const claimed = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash })
  return claimed.length > 0
}

export async function countRecoveryCodes(db: DbReader, userId: number) {
  const isUnused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(isUnused)
  return row?.left ?? 0
}

export const listPasskeys = (db: DbReader, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

export async function findPasskey(db: DbReader, credentialId: string) {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return row
}

export async function insertPasskey(tx: Tx, row: typeof passkeys.$inferInsert) {
  const [saved] = await tx.insert(passkeys).values(row).onConflictDoNothing().returning()
  return saved
}

const ownedPasskey = (userId: number, id: number) => and(eq(passkeys.userId, userId), eq(passkeys.id, id))

export async function renamePasskey(tx: Tx, { userId, id, name }: { userId: number; id: number; name: string }) {
  const [row] = await tx.update(passkeys).set({ name }).where(ownedPasskey(userId, id)).returning()
  return row
}

async function endPasskeys(tx: Tx, which: SQL | undefined) {
  const ended = await tx.delete(passkeys).where(which).returning({ name: passkeys.name, credentialId: passkeys.credentialId })
  await recordEndings(
    tx,
    'passkey',
    ended.map(({ credentialId }) => credentialId),
  )
  return ended
}

export async function removePasskey(tx: Tx, { userId, id }: { userId: number; id: number }) {
  const [row] = await endPasskeys(tx, ownedPasskey(userId, id))
  return row
}

/**
 * Saves a use of a passkey. Returns false if its counter did not grow, as with a cloned authenticator. Authenticators without a counter
 * always send 0.
 */
export async function claimPasskeyUse(tx: Tx, { id, counter, now }: { id: number; counter: number; now: Date }) {
  const isNew = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const claimed = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), isNew))
    .returning({ id: passkeys.id })
  return claimed.length > 0
}

/** Saves a challenge and removes expired ones. */
export async function insertChallenge(tx: Tx, row: typeof factorChallenges.$inferInsert, now: Date) {
  await tx.delete(factorChallenges).where(lte(factorChallenges.expiresAt, now))
  await tx.insert(factorChallenges).values(row)
}

export async function findChallenge(db: DbReader, hash: string, now: Date) {
  const [row] = await db
    .select()
    .from(factorChallenges)
    .where(and(eq(factorChallenges.hash, hash), gt(factorChallenges.expiresAt, now)))
  return row
}

export const setChallengeTries = (tx: Tx, hash: string, tries: number) =>
  tx.update(factorChallenges).set({ tries }).where(eq(factorChallenges.hash, hash))

/** Ends the user's sign-ins that wait for a second factor. */
export const removeSignInChallenges = (tx: Tx, userId: number) =>
  tx.delete(factorChallenges).where(and(eq(factorChallenges.userId, userId), eq(factorChallenges.kind, 'second_factor')))

export const removeChallenge = (tx: Tx, hash: string) => tx.delete(factorChallenges).where(eq(factorChallenges.hash, hash))

/** Removes the passkeys and the TOTP secret added since an instant; also the recovery codes if no factor is left. */
export async function removeFactorsSince(tx: Tx, userId: number, since: Date) {
  await endPasskeys(tx, and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
  await tx.delete(totpSecrets).where(and(eq(totpSecrets.userId, userId), gte(totpSecrets.createdAt, since)))
  if (!(await hasFactor(tx, userId))) await removeRecoveryCodes(tx, userId)
}
