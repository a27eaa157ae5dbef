import { users } from './accounts.ts'
import { index, instant, int, json, pk, str, table } from './columns.ts'

/** The secret that a user shares with an app for one-time codes, one per user. */
export const totpSecrets = table('totp_secrets', {
  userId: int()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with a key from the environment. */
  secret: str().notNull(),
  createdAt: instant().notNull(),
  /** Null until a first code was correct; until then sign-ins ask for no code. */
  confirmedAt: instant(),
  /** Number of the half minute of the last accepted code: a code works once. */
  lastStep: int(),
})

/** Recovery codes, hashed with SHA-256: they are random and long enough for a fast hash. */
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
    /** The browser's id of the passkey, in base64url. */
    credentialId: str().notNull().unique(),
    /** COSE key in base64url. */
    publicKey: str().notNull(),
    /** The authenticator's signature counter; 0 for those without one. */
    counter: int().notNull(),
    transports: json<string[]>(),
    name: str().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (t) => [index('passkeys_by_user').on(t.userId)],
)

/** `second_factor` completes a sign-in after a correct password; `confirmation` confirms the user of a session and creates no session. */
export type FactorChallengeKind = 'second_factor' | 'confirmation' | 'passkey_sign_in' | 'passkey_creation'

/** Short-lived challenges: sign-ins that wait for a second factor, and requests to a passkey. The id is stored as SHA-256. */
export const factorChallenges = table(
  'factor_challenges',
  {
    hash: str().primaryKey(),
    kind: str<FactorChallengeKind>().notNull(),
    /** Null for a sign-in with a passkey, which identifies the user itself. */
    userId: int().references(() => users.id, { onDelete: 'cascade' }),
    /** The bytes for a passkey to sign, in base64url. */
    signs: str().notNull(),
    tries: int().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (t) => [index('factor_challenges_by_end').on(t.expiresAt)],
)
