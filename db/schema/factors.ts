import { users } from './accounts.ts'
import { index, instant, int, json, pk, str, table } from './columns.ts'

/** The secret that a user shares with an app for one-time codes, one per user. */
export const totpSecrets = table('totp_secrets', {
  userId: int()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with the key of the environment. */
  secret: str().notNull(),
  createdAt: instant().notNull(),
  /** Null until a first code was right; until then no code is asked. */
  confirmedAt: instant(),
  /** Number of the half minute of the last accepted code: a code works once. */
  lastStep: int(),
})

/** Recovery codes, hashed with SHA-256: they are random and long enough for it. */
export const recoveryCodes = table(
  'recovery_codes',
  {
    hash: str().primaryKey(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usedAt: instant(),
  },
  (t) => [index('recovery_codes_by_user').on(t.userId)],
)

export const passkeys = table(
  'passkeys',
  {
    id: pk(),
    userId: int()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the browser names it, in base64url. */
    credentialId: str().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: str().notNull(),
    /** How often the authenticator signed; 0 for those that do not count. */
    counter: int().notNull(),
    transports: json<string[]>(),
    name: str().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (t) => [index('passkeys_by_user').on(t.userId)],
)

/** `second_factor` completes a sign-in whose password was right; `confirmation` proves who has a session, and signs nobody in. */
export type FactorChallengeKind = 'second_factor' | 'confirmation' | 'passkey_sign_in' | 'passkey_creation'

/** Short-lived challenges: sign-ins that wait for a second factor, and requests to a passkey. The id is stored as SHA-256. */
export const factorChallenges = table(
  'factor_challenges',
  {
    hash: str().primaryKey(),
    kind: str<FactorChallengeKind>().notNull(),
    /** Null for a sign-in with a passkey, which names the user itself. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    /** What a passkey has to sign, in base64url. */
    signs: str().notNull(),
    tries: int().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (t) => [index('factor_challenges_by_end').on(t.expiresAt)],
)
