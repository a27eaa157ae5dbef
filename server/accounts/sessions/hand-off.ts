import { type handOff as contract, HAND_OFF_MINUTES, HAND_OFF_PREFIX } from '#contracts/accounts/hand-off.ts'
import { formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { LockFinder } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { HandlerContext, World } from '#server/ports/world.ts'
import { recordEvent, recordOncePerHour } from '#server/security/security-log.ts'
import { findHandOff, markHandOffUsed, replaceHandOff } from './sessions.store.ts'
import { continueSession } from './sign-in.ts'

/** Each code can create a session. */
const LIMIT = { max: 60, windowMinutes: 60 }

export const handOff: Handlers<typeof contract> = {
  async create(_, context) {
    const { db, clock, viewer, session } = context
    const tries = `hand_off:${viewer.userId}`
    await writeDevices(db, [`throttle:${tries}`], (tx) => countAttempt(tx, tries, LIMIT, clock.now()))
    const { code, expiresAt } = await createHandOff(context, session, HAND_OFF_MINUTES * MINUTE_MS)
    return { hand_off: code, until: formatInstant(expiresAt) }
  },
  async redeem({ body }, context) {
    const { user, adminEmail, token } = await redeemHandOff(context, body.hand_off)
    return { user: presentUser(user, adminEmail), token }
  },
}

/** Creates the code that signs in elsewhere with the rights of a session, which is given by its hash. Only the code's hash is stored. */
export async function createHandOff({ db, clock, ids }: Pick<World, 'db' | 'clock' | 'ids'>, session: string, lifetimeMs: number) {
  const code = HAND_OFF_PREFIX + ids.token()
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs)
  await writeDevices(db, [`session:${session}`], (tx) => replaceHandOff(tx, { hash: sha256(code), session, expiresAt }))
  return { code, expiresAt }
}

/**
 * Creates a session from a code, which works once. The new session inherits the times of sign-in, confirmation and expiry from the one that
 * created the code. Throws `expired` for every invalid code; a second use is recorded.
 */
async function redeemHandOff(context: HandlerContext, code: string) {
  const { db, clock, caller } = context
  const now = clock.now()
  const codeLock: LockFinder = async (reader) => {
    const found = await findHandOff(reader, sha256(code), now)
    return found ? [`account:${found.user.accountId}`] : []
  }
  const opened = await writeDevices(db, codeLock, async (tx) => {
    const found = await findHandOff(tx, sha256(code), now)
    if (!found) return undefined
    const { user, adminEmail, handOff, session } = found
    const event = { accountId: user.accountId, userId: user.id, who: user.email, about: caller.agent }
    if (handOff.usedAt) {
      await recordOncePerHour(tx, context, { ...event, kind: 'hand_off_refused' })
      return undefined
    }
    await markHandOffUsed(tx, handOff.hash, now)
    const token = await continueSession(tx, context, session)
    await recordEvent(tx, context, { ...event, kind: 'hand_off' })
    return { user, adminEmail, token }
  })
  if (!opened) throw new Failure('expired')
  return opened
}
