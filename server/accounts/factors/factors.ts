import type { Assertion, Challenge } from '#contracts/accounts/second-factor.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, LockFinder, Tx } from '#db/db.ts'
import { hasFactor } from '#db/factors.ts'
import type { FactorChallengeKind } from '#db/schema/factors.ts'
import { userLock } from '#db/scope.ts'
import { forgetTries } from '#db/throttle.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { open, sha256 } from '#server/lib/secrets.ts'
import type { HandlerContext, ViewerContext, World } from '#server/ports/world.ts'
import { isKnownBrowser } from '#server/security/known-browsers.ts'
import { recordEvent, recordOncePerHour } from '#server/security/security-log.ts'
import { createRecoveryCodes, findStep, hashRecoveryCode } from './codes.ts'
import {
  claimPasskeyUse,
  claimRecoveryCode,
  claimStep,
  countRecoveryCodes,
  findAccount,
  findChallenge,
  findPasskey,
  findTotp,
  insertChallenge,
  listPasskeys,
  removeChallenge,
  replaceRecoveryCodes,
  setChallengeTries,
} from './factors.store.ts'
import { createRequestOptions, verifyAssertion } from './webauthn.ts'

const CHALLENGE_MINUTES = 5
const CHALLENGE_TRIES = 5
/** Wrong codes per user over all challenges, since anyone with the password can start any number of them. */
const FACTOR_ATTEMPTS = { max: 10, windowMinutes: 15 } as const

/**
 * The key under which wrong codes are counted: one key for a browser that the user has signed in with, one for open sessions, and one for
 * all other callers together, because a code has only six digits. So an intruder who knows the password blocks neither of the first two.
 * Recovery codes and passkeys cannot be guessed and are never counted: null.
 */
async function findCounter(
  { db, caller, limits, viewer }: HandlerContext & Partial<ViewerContext>,
  userId: number | null,
  { code }: Proof,
) {
  if (code === undefined || userId === null || !limits.credentials) return null
  const isKnown = await isKnownBrowser(db.read, userId, caller)
  return `factor:${userId}:${isKnown ? sha256(caller.browser ?? '') : viewer ? 'in' : 'new'}`
}

/** Saves a challenge; returns its id, of which only the hash is stored, and the bytes for a passkey to sign. */
export async function issueChallenge({ db, clock, ids }: World, kind: FactorChallengeKind, userId: number | null) {
  const [id, signs] = [ids.token(), Buffer.from(ids.token(), 'hex').toString('base64url')]
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + CHALLENGE_MINUTES * MINUTE_MS)
  await db.write([], (tx) => insertChallenge(tx, { hash: sha256(id), kind, userId, signs, expiresAt }, now))
  return { id, signs, expiresAt }
}

type ProofKind = Extract<FactorChallengeKind, 'second_factor' | 'confirmation'>

/** Issues a challenge for the factors that a user has. */
export async function challengeUser(world: World, userId: number, kind: ProofKind): Promise<Challenge> {
  const { id, signs, expiresAt } = await issueChallenge(world, kind, userId)
  const passkeys = await listPasskeys(world.db.read, userId)
  const totp = await findTotp(world.db.read, userId)
  const left = await countRecoveryCodes(world.db.read, userId)
  return {
    challenge: id,
    expires_at: expiresAt.toISOString(),
    methods: [
      ...(totp?.confirmedAt ? (['code'] as const) : []),
      ...(left > 0 ? (['recovery_code'] as const) : []),
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ],
    passkey: passkeys.length > 0 ? createRequestOptions(world, signs, passkeys) : null,
  }
}

/** Throws `second_factor` with a challenge when the password alone is not enough for the user. */
export async function requireNoFactor(world: World, userId: number, kind: ProofKind) {
  if (await hasFactor(world.db.read, userId)) throw new Failure('second_factor', await challengeUser(world, userId, kind))
}

/** Finds an open challenge of a kind by its id. */
export async function findOpenChallenge(db: DbReader, { id, kind, now }: { id: string; kind: FactorChallengeKind; now: Date }) {
  const row = await findChallenge(db, sha256(id), now)
  return row?.kind === kind ? row : undefined
}

export type Proof = { code?: string | undefined; recovery_code?: string | undefined; passkey?: Assertion | undefined }

/** A verified signature; its use counts once it is claimed. */
type VerifiedPasskey = { id: number; userId: number; counter: number }

/** Verifies the signature of a passkey. Returns undefined for an unknown passkey or a wrong response. */
async function verifyPasskey(world: World, signs: string, response: Assertion): Promise<VerifiedPasskey | undefined> {
  const passkey = await findPasskey(world.db.read, response.id)
  const counter = passkey && (await verifyAssertion(world, passkey, { signs, response }))
  return passkey && counter !== undefined ? { id: passkey.id, userId: passkey.userId, counter } : undefined
}

type Claim = { userId: number; proof: Proof; passkey: VerifiedPasskey | undefined }

/** Checks a proof and marks it as used, because each works once. Returns which factor it was, or undefined for a wrong one. */
async function claimProof(tx: Tx, context: HandlerContext, { userId, proof, passkey }: Claim) {
  const { clock, secondFactor } = context
  const now = clock.now()
  if (proof.recovery_code !== undefined) {
    if (!(await claimRecoveryCode(tx, { userId, hash: hashRecoveryCode(proof.recovery_code), now }))) return undefined
    await recordEvent(tx, context, { kind: 'recovery_code_used', userId, accountId: await findAccount(tx, userId) })
    return 'recovery_code' as const
  }
  if (proof.passkey !== undefined) {
    const isRight = passkey?.userId === userId && (await claimPasskeyUse(tx, { id: passkey.id, counter: passkey.counter, now }))
    return isRight ? ('passkey' as const) : undefined
  }
  const totp = await findTotp(tx, userId)
  if (!totp?.confirmedAt) return undefined
  const step = findStep(open(totp.secret, { key: secondFactor.key, owner: String(userId) }), proof.code ?? '', now)
  return step !== undefined && (await claimStep(tx, userId, step)) ? ('code' as const) : undefined
}

/** Records a wrong proof of a second factor, once an hour for each network. */
const recordRefusal = async (tx: Tx, context: HandlerContext, userId: number) =>
  recordOncePerHour(tx, context, { kind: 'factor_refused', userId, accountId: await findAccount(tx, userId), about: context.caller.agent })

type Completed<T> = { result: T } | { remaining: number } | undefined

/**
 * Checks the proof for a challenge, and runs `complete` with it in the same transaction. Throws `expired` for an unknown, expired or
 * used-up challenge, `invalid_code` for a wrong proof, and `throttled` after ten wrong codes in 15 minutes.
 */
export async function completeChallenge<T>(
  world: HandlerContext,
  id: string,
  proof: Proof,
  complete: (tx: Tx, userId: number) => Promise<T>,
) {
  const { db, clock } = world
  const open = await findOpenChallenge(db.read, { id, kind: 'second_factor', now: clock.now() })
  const counter = await findCounter(world, open?.userId ?? null, proof)
  const passkey = open && proof.passkey && (await verifyPasskey(world, open.signs, proof.passkey))
  const completed = await db.write(userLock(open?.userId), async (tx): Promise<Completed<T>> => {
    const now = clock.now()
    const challenge = await findOpenChallenge(tx, { id, kind: 'second_factor', now })
    if (!challenge?.userId) return undefined
    const { hash, userId } = challenge
    if (counter) await countAttempt(tx, counter, FACTOR_ATTEMPTS, now)
    if (await claimProof(tx, world, { userId, proof, passkey })) {
      if (counter) await forgetTries(tx, counter)
      await removeChallenge(tx, hash)
      return { result: await complete(tx, userId) }
    }
    await recordRefusal(tx, world, userId)
    const remaining = CHALLENGE_TRIES - challenge.tries - 1
    if (remaining > 0) await setChallengeTries(tx, hash, challenge.tries + 1)
    else await removeChallenge(tx, hash)
    return { remaining }
  })
  if (!completed) throw new Failure('expired')
  if ('remaining' in completed) throw new Failure('invalid_code', { remaining_attempts: completed.remaining })
  return completed.result
}

/**
 * Checks a factor of the signed-in user and runs `complete` in the same transaction. Throws `invalid_code`, or `throttled`. A passkey needs
 * the id of a challenge.
 */
export async function proveFactor<T>(
  world: HandlerContext,
  { userId, challenge, proof }: { userId: number; challenge: string | undefined; proof: Proof },
  complete: (tx: Tx) => Promise<T>,
) {
  const { db, clock } = world
  const open =
    challenge === undefined ? undefined : await findOpenChallenge(db.read, { id: challenge, kind: 'confirmation', now: clock.now() })
  const isOwn = open?.userId === userId
  const passkey = isOwn && proof.passkey ? await verifyPasskey(world, open.signs, proof.passkey) : undefined
  const counter = await findCounter(world, userId, proof)
  const completed = await db.write(userLock(userId), async (tx) => {
    if (counter) await countAttempt(tx, counter, FACTOR_ATTEMPTS, clock.now())
    if (!(await claimProof(tx, world, { userId, proof, passkey }))) {
      await recordRefusal(tx, world, userId)
      return undefined
    }
    if (counter) await forgetTries(tx, counter)
    if (isOwn) await removeChallenge(tx, open.hash)
    return { result: await complete(tx) }
  })
  if (!completed) throw new Failure('invalid_code')
  return completed.result
}

/** Saves ten new recovery codes and returns them; only their hashes are stored. */
export async function renewRecoveryCodes(tx: Tx, { ids }: World, userId: number) {
  const codes = createRecoveryCodes(ids)
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/**
 * Checks the response of a passkey to a sign-in challenge and runs `complete` in the same transaction. Throws `expired` for an unknown,
 * expired or used challenge, and `invalid_code` for a wrong response, which uses the challenge up.
 */
export async function completePasskeySignIn<T>(
  world: HandlerContext,
  { id, response }: { id: string; response: Assertion },
  complete: (tx: Tx, userId: number) => Promise<T>,
) {
  const { db, clock } = world
  const open = await findOpenChallenge(db.read, { id, kind: 'passkey_sign_in', now: clock.now() })
  const passkey = open && (await verifyPasskey(world, open.signs, response))
  // Two simultaneous responses to one challenge may name different users.
  const signInLock: LockFinder = async (reader) => [`challenge:${sha256(id)}`, ...(await userLock(passkey?.userId)(reader))]
  const completed = await db.write(signInLock, async (tx) => {
    const now = clock.now()
    const challenge = await findOpenChallenge(tx, { id, kind: 'passkey_sign_in', now })
    if (!challenge) return 'expired' as const
    await removeChallenge(tx, challenge.hash)
    if (!passkey || !(await claimPasskeyUse(tx, { id: passkey.id, counter: passkey.counter, now }))) {
      const named = await findPasskey(tx, response.id)
      if (named) await recordRefusal(tx, world, named.userId)
      return 'invalid_code' as const
    }
    return { result: await complete(tx, passkey.userId) }
  })
  if (typeof completed === 'string') throw new Failure(completed)
  return completed.result
}
