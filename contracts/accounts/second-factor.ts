import * as z from 'zod/mini'
import { IdParams, Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { GivenPassword, User } from './users.ts'

const Bytes = z.string().check(z.minLength(1), z.maxLength(20_000), z.regex(/^[\w-]+$/))
const Credential = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) })

/** Options of `navigator.credentials.get`, with bytes in base64url. */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.optional(z.array(Credential)),
})
export type RequestOptions = z.infer<typeof RequestOptions>

/** Options of `navigator.credentials.create`, with bytes in base64url. */
const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof CreationOptions>

const Answer = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'])),
}

/** The response of a passkey to a sign-in challenge. */
export const Assertion = z.object({
  ...Answer,
  response: z.object({ clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes, userHandle: z.optional(z.string()) }),
})
export type Assertion = z.infer<typeof Assertion>

/** The response of a browser that created a passkey. */
export const Attestation = z.object({
  ...Answer,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
    // Browsers repeat here what `attestationObject` contains; the server reads only `attestationObject`.
    authenticatorData: z.optional(Bytes),
    publicKey: z.optional(Bytes),
    publicKeyAlgorithm: z.optional(z.int()),
  }),
})
export type Attestation = z.infer<typeof Attestation>

/** Identifies a challenge without revealing anything. */
const ChallengeId = z.string().check(z.minLength(1), z.maxLength(100))

/** A code as typed or pasted, with blanks and dashes of any kind. */
const Code = (most: number) => z.string().check(z.overwrite(normalizeCode), z.minLength(1), z.maxLength(most))
/** A code of the app or a recovery code, in one field. */
export const TypedCode = Code(40)
const AppCode = Code(20)

/** Exactly one of them: the six digits of the app, a recovery code, or the response of a passkey to the options of the challenge. */
const proof = {
  code: z.optional(AppCode),
  recovery_code: z.optional(TypedCode),
  passkey: z.optional(Assertion),
}

const countProofs = (given: { code?: unknown; recovery_code?: unknown; passkey?: unknown }) =>
  [given.code, given.recovery_code, given.passkey].filter((each) => each !== undefined).length

const ONE_PROOF = { error: 'exactly one of code, recovery_code and passkey', path: ['code'] }

/** What a challenge accepts, and how long it is valid. The 401 `second_factor` of a sign-in has the same fields. */
export const Challenge = z.object({
  challenge: z.string(),
  expires_at: Instant,
  methods: z.array(z.enum(['code', 'recovery_code', 'passkey'])),
  /** The request for a passkey of the user; null without passkeys. */
  passkey: z.nullable(RequestOptions),
})
export type Challenge = z.infer<typeof Challenge>

/** Password and second factor of the signed-in user, required for changes that weaken the account's security. */
export const Proven = z
  .object({ password: GivenPassword, challenge: z.optional(ChallengeId), ...proof })
  .check(z.refine((given) => countProofs(given) === 1, ONE_PROOF))
export type Proven = z.infer<typeof Proven>

const ChallengeProof = z.object({ challenge: ChallengeId, ...proof }).check(z.refine((given) => countProofs(given) === 1, ONE_PROOF))

const SignedIn = z.object({ user: User, token: z.string() })

/** The ways to sign in besides the password alone. */
export const factorSignIn = {
  complete: {
    method: 'POST',
    path: '/api/v1/auth/second_factor/',
    summary: 'Completes a sign-in that was answered with 401 `second_factor`; a challenge lives five minutes and has five tries',
    access: 'public',
    body: ChallengeProof,
    response: { 200: SignedIn },
    errors: ['invalid_code', 'expired'],
    safety: 'reversible',
    provenance: 'ours',
  },
  passkeyOptions: {
    method: 'POST',
    path: '/api/v1/auth/passkey/options/',
    summary: 'Returns a challenge for any passkey of this portal',
    access: 'public',
    response: { 200: z.object({ challenge: z.string(), options: RequestOptions }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  passkey: {
    method: 'POST',
    path: '/api/v1/auth/passkey/',
    summary: 'Signs in with a passkey alone, which verifies its user',
    access: 'public',
    body: z.object({ challenge: ChallengeId, passkey: Assertion }),
    response: { 200: SignedIn },
    errors: ['invalid_code', 'expired'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

const Confirmation = z.object({ password: z.optional(GivenPassword), challenge: z.optional(ChallengeId), ...proof }).check(
  z.refine((given) => countProofs(given) + Number(given.password !== undefined) === 1, {
    error: 'exactly one of password, code, recovery_code and passkey',
    path: ['password'],
  }),
)
export type Confirmation = z.infer<typeof Confirmation>

/** Renews the proof of identity of the session, for calls that need a recent sign-in. */
export const recentSignIn = {
  confirm: {
    method: 'POST',
    path: '/users/sessions/confirm/',
    summary: 'Confirms the session with the password, or with a second factor where the user has one; it counts as signed in just now',
    access: rights.ownProfile,
    body: Confirmation,
    response: { 200: z.object({ until: Instant }) },
    errors: ['invalid_password', 'invalid_code', 'second_factor'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

export const PASSKEY_NAME_LENGTH = 60
const PasskeyName = Text(1, PASSKEY_NAME_LENGTH)

export const Passkey = z.object({ id: z.int(), name: z.string(), created_at: Instant, last_used_at: z.nullable(Instant) })
export type Passkey = z.infer<typeof Passkey>

/** The new recovery codes; null if the user already has some. */
const RecoveryCodes = z.nullable(z.array(z.string()))

const State = z.object({
  /** Whether each sign-in asks for a code of an app. */
  totp: z.boolean(),
  passkeys: z.array(Passkey),
  recovery_codes_left: z.int(),
  /** Whether the role of the user needs a second factor. */
  required: z.boolean(),
  /** Whether the sign-in is recent enough to add a factor. */
  may_add: z.boolean(),
})
export type SecondFactorState = z.infer<typeof State>

/** The second factor of the signed-in user. */
export const secondFactor = {
  read: {
    method: 'GET',
    path: '/users/second_factor/',
    summary: 'Reads which second factors the user has',
    access: rights.ownProfile,
    response: { 200: State },
    safety: 'read',
    provenance: 'ours',
  },
  challenge: {
    method: 'POST',
    path: '/users/second_factor/challenge/',
    summary: 'Returns a challenge with which a passkey of the user proves a change of the second factor',
    access: rights.ownProfile,
    response: { 200: Challenge },
    safety: 'reversible',
    provenance: 'ours',
  },
  startTotp: {
    method: 'POST',
    path: '/users/second_factor/totp/',
    summary: 'Returns a new secret for an app; needs a sign-in of the last ten minutes',
    access: rights.ownProfile,
    recentSignIn: 'always',
    response: { 200: z.object({ secret: z.string(), uri: z.string() }) },
    errors: ['already_active'],
    safety: 'reversible',
    provenance: 'ours',
  },
  confirmTotp: {
    method: 'POST',
    path: '/users/second_factor/totp/confirm/',
    summary: 'Turns codes of an app on with a first code; the first factor comes with ten recovery codes',
    access: rights.ownProfile,
    body: z.object({ code: AppCode }),
    response: { 200: z.object({ recovery_codes: RecoveryCodes }) },
    errors: ['invalid_code', 'expired'],
    safety: 'destructive',
    provenance: 'ours',
  },
  removeTotp: {
    method: 'POST',
    path: '/users/second_factor/totp/off/',
    summary: 'Turns codes of an app off; needs the password and a factor',
    access: rights.ownProfile,
    body: Proven,
    response: { 200: State },
    errors: ['invalid_password', 'invalid_code'],
    safety: 'destructive',
    provenance: 'ours',
  },
  recoveryCodes: {
    method: 'POST',
    path: '/users/second_factor/recovery_codes/',
    summary: 'Replaces the recovery codes by ten new ones; needs the password and a factor',
    access: rights.ownProfile,
    body: Proven,
    response: { 200: z.object({ recovery_codes: z.array(z.string()) }) },
    errors: ['invalid_password', 'invalid_code'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

export const passkeys = {
  options: {
    method: 'POST',
    path: '/users/passkeys/options/',
    summary: 'Returns a challenge for a new passkey; needs a sign-in of the last ten minutes',
    access: rights.ownProfile,
    recentSignIn: 'always',
    response: { 200: z.object({ challenge: z.string(), options: CreationOptions }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/users/passkeys/',
    summary: 'Saves a new passkey; the first factor comes with ten recovery codes',
    access: rights.ownProfile,
    body: z.object({ challenge: ChallengeId, name: PasskeyName, passkey: Attestation }),
    response: { 201: z.object({ passkey: Passkey, recovery_codes: RecoveryCodes }) },
    errors: ['invalid_code', 'expired'],
    safety: 'destructive',
    provenance: 'ours',
  },
  rename: {
    method: 'PATCH',
    path: '/users/passkeys/:id/',
    summary: 'Renames a passkey',
    access: rights.ownProfile,
    params: IdParams,
    body: z.object({ name: PasskeyName }),
    response: { 200: Passkey },
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'POST',
    path: '/users/passkeys/:id/off/',
    summary: 'Removes a passkey; needs the password and a factor',
    access: rights.ownProfile,
    params: IdParams,
    body: Proven,
    response: { 200: State },
    errors: ['invalid_password', 'invalid_code'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
