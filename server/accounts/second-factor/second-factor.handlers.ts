import type {
  Attestation,
  secondFactor as contract,
  Proven,
  passkeys as passkeysContract,
  SecondFactorState,
} from '#contracts/accounts/second-factor.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { hasFactor } from '#db/factors.ts'
import { isRecentSession } from '#db/sessions.ts'
import { findStep, presentTotpSecret } from '#server/accounts/factors/codes.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  findTotp,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  removeChallenge,
  removePasskey,
  removeRecoveryCodes,
  removeTotp,
  renamePasskey,
  savePendingTotp,
} from '#server/accounts/factors/factors.store.ts'
import { challengeUser, findOpenChallenge, issueChallenge, proveFactor, renewRecoveryCodes } from '#server/accounts/factors/factors.ts'
import { createCreationOptions, verifyAttestation } from '#server/accounts/factors/webauthn.ts'
import { getSignedInUser, verifyPassword } from '#server/accounts/sessions/sign-in.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { open, seal } from '#server/lib/secrets.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'

export const secondFactor: Handlers<typeof contract> = {
  read: (_, context) => readState(context),
  challenge: (_, context) => challengeUser(context, context.viewer.userId, 'confirmation'),
  startTotp: (_, context) => startTotp(context),
  async confirmTotp({ body }, context) {
    return { recovery_codes: await confirmFirstCode(context, body.code) }
  },
  async removeTotp({ body }, context) {
    await turnTotpOff(context, body)
    return readState(context)
  },
  async recoveryCodes({ body }, context) {
    return { recovery_codes: await replaceRecoveryCodes(context, body) }
  },
}

export const passkeys: Handlers<typeof passkeysContract> = {
  options: (_, context) => createPasskeyOptions(context),
  create: ({ body }, context) => createPasskey(context, body),
  async rename({ params, body }, context) {
    return presentPasskey(await renameOwnPasskey(context, params.id, body.name))
  },
  async remove({ params, body }, context) {
    await turnPasskeyOff(context, params.id, body)
    return readState(context)
  },
}

const PENDING_MINUTES = 10
const IV_HEX_DIGITS = 24

const presentPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
})

async function readState(context: ViewerContext): Promise<SecondFactorState> {
  const { db, viewer, secondFactor } = context
  const { userId, role } = viewer
  return {
    totp: Boolean((await findTotp(db.read, userId))?.confirmedAt),
    passkeys: (await listPasskeys(db.read, userId)).map(presentPasskey),
    recovery_codes_left: await countRecoveryCodes(db.read, userId),
    required: secondFactor.isRequired && (role === 'admin' || role === 'deepsupport'),
    may_add: await isRecentSession(db.read, context.session, context.clock.now()),
  }
}

/** Saves a new secret, which becomes active with the first correct code. Throws `already_active` while another one is active. */
async function startTotp(context: ViewerContext) {
  const { db, clock, ids, viewer, secondFactor, productName } = context
  const { email } = await getSignedInUser(context)
  const secret = ids.token()
  const sealed = seal(secret, { key: secondFactor.key, owner: String(viewer.userId), iv: ids.token().slice(0, IV_HEX_DIGITS) })
  await db.write([`account:${viewer.accountId}`], async (tx) => {
    if ((await findTotp(tx, viewer.userId))?.confirmedAt) throw new Failure('already_active')
    await savePendingTotp(tx, { userId: viewer.userId, secret: sealed, createdAt: clock.now(), confirmedAt: null, lastStep: null })
  })
  return presentTotpSecret(secret, { issuer: productName, email })
}

/** Activates the pending secret. Throws `expired` unless it was created within the last ten minutes, and `invalid_code`. */
async function confirmFirstCode(context: ViewerContext, code: string) {
  const { db, clock, viewer, secondFactor } = context
  const { userId } = viewer
  return db.write([`account:${viewer.accountId}`], async (tx) => {
    const now = clock.now()
    const pending = await findTotp(tx, userId)
    if (!pending || pending.confirmedAt || now.getTime() - pending.createdAt.getTime() >= PENDING_MINUTES * MINUTE_MS)
      throw new Failure('expired')
    const step = findStep(open(pending.secret, { key: secondFactor.key, owner: String(userId) }), code, now)
    if (step === undefined) throw new Failure('invalid_code')
    const codes = await createFirstCodes(tx, context)
    await confirmTotp(tx, userId, { confirmedAt: now, lastStep: step })
    await recordEvent(tx, context, { kind: 'app_added', userId })
    return codes
  })
}

/** Returns recovery codes with the first factor, and null with any further one. */
const createFirstCodes = async (tx: Tx, context: ViewerContext) =>
  (await hasFactor(tx, context.viewer.userId)) ? null : renewRecoveryCodes(tx, context, context.viewer.userId)

/** Checks password and factor, then runs `complete`. Throws `invalid_password` and `invalid_code`. */
async function prove<T>(context: ViewerContext, { password, challenge, ...proof }: Proven, complete: (tx: Tx) => Promise<T>) {
  const user = await getSignedInUser(context)
  await verifyPassword(context, user, password)
  return proveFactor(context, { userId: user.id, challenge, proof }, complete)
}

/** Recovery codes are only useful with a factor. */
async function removeUselessCodes(tx: Tx, userId: number) {
  if (!(await hasFactor(tx, userId))) await removeRecoveryCodes(tx, userId)
}

const turnTotpOff = (context: ViewerContext, proven: Proven) =>
  prove(context, proven, async (tx) => {
    await removeTotp(tx, context.viewer.userId)
    await removeUselessCodes(tx, context.viewer.userId)
    await recordEvent(tx, context, { kind: 'app_removed', userId: context.viewer.userId })
  })

const replaceRecoveryCodes = (context: ViewerContext, proven: Proven) =>
  prove(context, proven, async (tx) => {
    const { userId } = context.viewer
    await recordEvent(tx, context, { kind: 'recovery_codes_renewed', userId })
    return renewRecoveryCodes(tx, context, userId)
  })

async function createPasskeyOptions(context: ViewerContext) {
  const owner = await getSignedInUser(context)
  const { id, signs } = await issueChallenge(context, 'passkey_creation', owner.id)
  const passkeys = await listPasskeys(context.db.read, owner.id)
  return { challenge: id, options: createCreationOptions(context, signs, { owner, passkeys }) }
}

/** Saves a new passkey. Throws `expired` for an unknown, expired or used challenge, and `invalid_code` for a wrong response. */
async function createPasskey(context: ViewerContext, given: { challenge: string; name: string; passkey: Attestation }) {
  const { db, clock, viewer } = context
  const now = clock.now()
  const find = async (reader: DbReader) => {
    const challenge = await findOpenChallenge(reader, { id: given.challenge, kind: 'passkey_creation', now })
    if (challenge?.userId !== viewer.userId) throw new Failure('expired')
    return challenge
  }
  const { signs } = await find(db.read)
  const verified = await verifyAttestation(context, { signs, response: given.passkey })
  if (!verified) throw new Failure('invalid_code')
  return db.write([`account:${viewer.accountId}`], async (tx) => {
    await removeChallenge(tx, (await find(tx)).hash)
    const recovery_codes = await createFirstCodes(tx, context)
    const saved = await insertPasskey(tx, { ...verified, userId: viewer.userId, name: given.name, createdAt: now })
    if (!saved) throw new Failure('invalid_code')
    await recordEvent(tx, context, { kind: 'passkey_added', userId: viewer.userId, about: saved.name })
    return { passkey: presentPasskey(saved), recovery_codes }
  })
}

async function renameOwnPasskey({ db, viewer }: ViewerContext, id: number, name: string) {
  const renamed = await db.write([`account:${viewer.accountId}`], (tx) => renamePasskey(tx, { userId: viewer.userId, id, name }))
  if (!renamed) throw new Failure('not_found')
  return renamed
}

/** Removes a passkey. Throws `not_found` for another user's, before any proof is requested. */
async function turnPasskeyOff(context: ViewerContext, id: number, proven: Proven) {
  const { db, viewer } = context
  if (!(await listPasskeys(db.read, viewer.userId)).some((each) => each.id === id)) throw new Failure('not_found')
  await prove(context, proven, async (tx) => {
    const removed = await removePasskey(tx, { userId: viewer.userId, id })
    await recordEvent(tx, context, { kind: 'passkey_removed', userId: viewer.userId, about: removed?.name ?? null })
    await removeUselessCodes(tx, viewer.userId)
  })
}
