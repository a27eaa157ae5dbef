import { CSRF_HEADER } from '#contracts/lib/requests.ts'
import type { StaffSession } from '#contracts/operator/staff.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { forgetTries } from '#db/throttle.ts'
import { createRecoveryCodes, findStep, hashRecoveryCode, presentTotpSecret } from '#server/accounts/factors/codes.ts'
import { csrfTokenOf } from '#server/http/access/csrf.ts'
import { countAttempt, runPasswordWork } from '#server/http/access/limits.ts'
import { STAFF_COOKIE } from '#server/http/access/staff-access.ts'
import { requireGoodPassword } from '#server/lib/easy-passwords.ts'
import { Failure } from '#server/lib/errors.ts'
import { hashPassword, matchesPassword, open, seal, sha256 } from '#server/lib/secrets.ts'
import type { Caller, HandlerContext, World } from '#server/ports/world.ts'
import {
  claimRecoveryCode,
  claimTotpStep,
  findByEmail,
  findInvited,
  insertSession,
  replaceRecoveryCodes,
  type StaffRow,
  saveInvited,
  updateMember,
} from './staff.store.ts'

/** A working day: then a member of staff signs in again, however busy the session is. */
const SESSION_HOURS = 12
/** Wrong sign-ins of one address from one network. A member in another network is not locked out by them. */
const ATTEMPTS = { max: 10, windowMinutes: 15 } as const

/** Owners of secrets are numbers of users; the prefix keeps a row of one table from being used in the other. */
export const ownerOfSecret = ({ id }: Pick<StaffRow, 'id'>) => `staff:${id}`

export const presentSession = ({ id, email, name, role }: StaffRow, token: string, expiresAt: Date): StaffSession => ({
  staff: { id, email, name, role },
  csrf_token: csrfTokenOf(token),
  expires_at: formatInstant(expiresAt),
})

type Given = { email: string; password: string; code: string }

/**
 * Signs a member of staff in. Whatever is wrong, the response is `invalid_credentials` after the same time; `throttled` after ten wrong
 * attempts from one network.
 */
export async function signInStaff(context: HandlerContext, { email, password, code }: Given) {
  const { db, caller, clock, limits } = context
  const tries = `staff:${sha256(email)}:${caller.network}`
  if (limits.credentials) await db.write([`throttle:${tries}`], (tx) => countAttempt(tx, tries, ATTEMPTS, clock.now()))
  const known = await findByEmail(db.read, email)
  const member = known && known.removedAt === null && known.invitationHash === null ? known : undefined
  const isRight = await runPasswordWork(caller.network, () => matchesPassword(password, member?.passwordHash ?? null))
  const session =
    member && isRight
      ? await db.write([`staff:${member.id}`, `throttle:${tries}`], async (tx) => {
          if (!(await claimFactor(tx, context, member, code))) return undefined
          await forgetTries(tx, tries)
          return startSession(tx, context, member)
        })
      : undefined
  if (!session) throw new Failure('invalid_credentials')
  return session
}

/** Uses a code of the app or a recovery code, each of which works once. */
async function claimFactor(tx: Tx, { clock, secondFactor }: HandlerContext, member: StaffRow, code: string) {
  const step = findStep(openSecret(member, secondFactor.key), code, clock.now())
  if (step !== undefined) return claimTotpStep(tx, member, step)
  return claimRecoveryCode(tx, member.id, hashRecoveryCode(code))
}

const openSecret = (member: StaffRow, key: Uint8Array) => open(member.totpSecret ?? '', { key, owner: ownerOfSecret(member) })

async function startSession(tx: Tx, context: HandlerContext, member: StaffRow) {
  const { token, expiresAt } = await saveSession(tx, context, member, { caller: context.caller })
  context.cookies.set(STAFF_COOKIE, token, { httpOnly: true, maxAge: SESSION_HOURS * 3600, sameSite: 'strict' })
  return presentSession(member, token, expiresAt)
}

type SessionWish = { caller?: Caller; endsAt?: Date }

async function saveSession(tx: Tx, { ids, clock }: Pick<World, 'ids' | 'clock'>, member: StaffRow, { caller, endsAt }: SessionWish) {
  const token = ids.token()
  const now = clock.now()
  const expiresAt = endsAt ?? new Date(now.getTime() + SESSION_HOURS * HOUR_MS)
  await insertSession(tx, {
    ...{ hash: sha256(token), staffId: member.id, createdAt: now, expiresAt, lastSeenAt: now },
    ...{ agent: caller?.agent ?? null, place: caller?.network ?? null },
  })
  return { token, expiresAt }
}

/** Creates a session without a password, for tests and the control plane. Adds the member if the address is new. Returns its token. */
export const openStaffSession = (world: World, { email, name, role }: Pick<StaffRow, 'email' | 'name' | 'role'>, endsAt?: Date) =>
  world.db.write([`staff:${email}`], async (tx) => {
    const invited = { email, name, role, createdAt: world.clock.now(), invitationHash: null, invitationEndsAt: null }
    const member = (await findByEmail(tx, email)) ?? (await saveInvited(tx, invited))
    return (await saveSession(tx, world, member, endsAt ? { endsAt } : {})).token
  })

/** As `openStaffSession`, but returns the headers of a console request. */
export async function signInStaffAs(world: World, member: Pick<StaffRow, 'email' | 'name' | 'role'>) {
  const token = await openStaffSession(world, member)
  return { cookie: `${STAFF_COOKIE}=${token}`, [CSRF_HEADER.toLowerCase()]: csrfTokenOf(token) }
}

/** Makes a new secret for the authenticator app of an invited member. Throws `expired` for an unknown, used or old link. */
export function openInvitation({ db, clock, ids, secondFactor, productName }: HandlerContext, key: string) {
  const hash = sha256(key)
  return db.write([`invitation:${hash}`], async (tx) => {
    const member = await findInvited(tx, hash, clock.now())
    if (!member) throw new Failure('expired')
    const secret = ids.token()
    const iv = ids.token().slice(0, 24)
    await updateMember(tx, member.id, { totpSecret: seal(secret, { key: secondFactor.key, owner: ownerOfSecret(member), iv }) })
    const { email, name, role } = member
    return { email, name: name === email ? '' : name, role, ...presentTotpSecret(secret, { issuer: `${productName} console`, email }) }
  })
}

type Acceptance = { key: string; name: string; password: string; code: string }

/** Sets up an invited member and signs them in. Throws `expired`, `invalid_code`, or a field error for an easy password. */
export async function acceptInvitation(context: HandlerContext, { key, name, password, code }: Acceptance) {
  const { db, clock, ids, caller, secondFactor } = context
  const hash = sha256(key)
  const invited = await findInvited(db.read, hash, clock.now())
  if (!invited) throw new Failure('expired')
  requireGoodPassword('password', password, { email: invited.email, firstName: name }, context)
  const passwordHash = await runPasswordWork(caller.network, () => hashPassword(password))
  return db.write([`invitation:${hash}`, `staff:${invited.id}`], async (tx) => {
    const member = await findInvited(tx, hash, clock.now())
    if (!member?.totpSecret) throw new Failure('expired')
    const totpStep = findStep(openSecret(member, secondFactor.key), code, clock.now())
    if (totpStep === undefined) throw new Failure('invalid_code')
    const accepted = { name, passwordHash, totpStep, invitationHash: null, invitationEndsAt: null }
    const active = await updateMember(tx, member.id, accepted)
    const recovery_codes = createRecoveryCodes(ids)
    await replaceRecoveryCodes(tx, member.id, recovery_codes.map(hashRecoveryCode))
    return { session: await startSession(tx, context, active), recovery_codes }
  })
}
