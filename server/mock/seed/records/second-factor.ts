import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { factorChallenges, passkeys, recoveryCodes, totpSecrets } from '#db/schema/factors.ts'
import type { staff } from '#db/schema/staff.ts'
import { hashRecoveryCode } from '#server/accounts/factors/codes.ts'
import { seal } from '#server/lib/secrets.ts'
import { ownerOfSecret } from '#server/operator/staff/sign-in.ts'
import type { Moments } from './moments.ts'
import { getPersona, STAFF, type StaffPersona } from './personas.ts'
import { sha256 } from './seed-secrets.ts'

/** Encrypts the secrets of every world of the mock server. Never for a real account. */
export const DEVELOPMENT_KEY: Uint8Array = Buffer.from('whereabouts-development-key-only')

const [owner, alice, chloe] = [getPersona('newcomer').id, getPersona('alice').id, getPersona('chloe').id]

export const SEED_FACTOR = {
  /** Belongs to Nora Newcomer, and in the scenario `second_factor` to alice. */
  owner,
  secret: '5eed000000000000000000000000000000000001',
  recoveryCodes: Array.from({ length: 10 }, (_, n) => `SEED-C0DE-0000-000${n}`),
  passkey: 1,
  /** A secret that chloe has not confirmed. */
  pendingSecret: '5eed000000000000000000000000000000000002',
  /** Ids of open challenges, and the bytes that a passkey signs for them. */
  challenge: '5eed000000000000000000000000000000000011',
  passkeySignIn: '5eed000000000000000000000000000000000012',
  passkeyCreation: '5eed000000000000000000000000000000000013',
  signs: 'c2VlZGVkIGNoYWxsZW5nZQ',
} as const

/** The passkey of a software authenticator in tests; its private key is 32 times the byte 1. */
const PASSKEY = {
  credentialId: 'c2VlZGVkIHBhc3NrZXk',
  publicKey: 'pAEBAycgBiFYIIqI4910CfGV_VLbLTy6XXLKZwm_HZQSG_N0iAG0D29c',
}

export const sealSeedSecret = (secret: string, userId: number) =>
  seal(secret, { key: DEVELOPMENT_KEY, owner: String(userId), iv: sha256(secret).slice(0, 24) })

export const totpRows = (at: Moments): (typeof totpSecrets.$inferInsert)[] => [
  { userId: owner, secret: sealSeedSecret(SEED_FACTOR.secret, owner), createdAt: at({ days: -30 }), confirmedAt: at({ days: -30 }) },
  { userId: chloe, secret: sealSeedSecret(SEED_FACTOR.pendingSecret, chloe), createdAt: at() },
]

export const recoveryCodeRows: (typeof recoveryCodes.$inferInsert)[] = SEED_FACTOR.recoveryCodes.map((code) => ({
  hash: hashRecoveryCode(code),
  userId: owner,
}))

export const passkeyRows = (at: Moments): (typeof passkeys.$inferInsert)[] => [
  { ...PASSKEY, id: SEED_FACTOR.passkey, userId: owner, counter: 0, name: 'Laptop', createdAt: at({ days: -30 }) },
]

const CHALLENGE_MINUTES = 5

export function factorChallengeRows(at: Moments): (typeof factorChallenges.$inferInsert)[] {
  const expiresAt = new Date(at().getTime() + CHALLENGE_MINUTES * MINUTE_MS)
  const common = { signs: SEED_FACTOR.signs, expiresAt }
  return [
    { ...common, hash: sha256(SEED_FACTOR.challenge), kind: 'second_factor', userId: owner },
    { ...common, hash: sha256(SEED_FACTOR.passkeySignIn), kind: 'passkey_sign_in' },
    { ...common, hash: sha256(SEED_FACTOR.passkeyCreation), kind: 'passkey_creation', userId: alice },
  ]
}

/** The secret of the authenticator app of each member; `GET /mock/second_factor/:email` returns codes of it. */
const secretOfStaff = ({ id }: StaffPersona) => `5eed0000000000000000000000000000000005${String(id).padStart(2, '0')}`

export const staffRows = (createdAt: Date, passwordHash: string): (typeof staff.$inferInsert)[] =>
  STAFF.map((member) => {
    const { key: _, ...row } = member
    const secret = secretOfStaff(member)
    const totpSecret = seal(secret, { key: DEVELOPMENT_KEY, owner: ownerOfSecret(member), iv: sha256(secret).slice(0, 24) })
    return { ...row, createdAt, passwordHash, totpSecret }
  })
