import type { Confirmation, factorSignIn as contract, recentSignIn as recentSignInContract } from '#contracts/accounts/second-factor.ts'
import { formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { markConfirmed, RECENT_SIGN_IN_MINUTES } from '#db/sessions.ts'
import { completeChallenge, completePasskeySignIn, issueChallenge, proveFactor, requireNoFactor } from '#server/accounts/factors/factors.ts'
import { createRequestOptions } from '#server/accounts/factors/webauthn.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import { startOverdueSync } from '#server/billing/sync/sync-customer.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { HandlerContext, ViewerContext } from '#server/ports/world.ts'
import { setCookies } from './sessions.handlers.ts'
import { findUserWithAccount } from './sessions.store.ts'
import { getSignedInUser, openSession, verifyPassword } from './sign-in.ts'

export const recentSignIn: Handlers<typeof recentSignInContract> = {
  async confirm({ body }, context) {
    await confirmSession(context, body)
    return { until: formatInstant(new Date(context.clock.now().getTime() + RECENT_SIGN_IN_MINUTES * MINUTE_MS)) }
  },
}

/** Throws `second_factor` for a correct password if the user has a factor; `invalid_password`, `invalid_code`, or `throttled`. */
async function confirmSession(context: ViewerContext, { password, challenge, ...proof }: Confirmation) {
  const user = await getSignedInUser(context)
  const confirm = (tx: Tx) => markConfirmed(tx, context.session, context.clock.now())
  if (password === undefined) return proveFactor(context, { userId: user.id, challenge, proof }, confirm)
  await requireNoFactor(context, user.id, 'confirmation')
  await verifyPassword(context, user, password)
  return context.db.write([], confirm)
}

export const factorSignIn: Handlers<typeof contract> = {
  async complete({ body: { challenge, ...proof } }, context) {
    return answerSession(context, await completeChallenge(context, challenge, proof, (tx, userId) => signIn(tx, context, userId)))
  },
  async passkeyOptions(_, context) {
    const { id, signs } = await issueChallenge(context, 'passkey_sign_in', null)
    return { challenge: id, options: createRequestOptions(context, signs) }
  },
  async passkey({ body: { challenge, passkey } }, context) {
    const given = { id: challenge, response: passkey }
    return answerSession(context, await completePasskeySignIn(context, given, (tx, userId) => signIn(tx, context, userId)))
  },
}

async function signIn(tx: Tx, context: HandlerContext, userId: number) {
  const found = await findUserWithAccount(tx, userId)
  if (!found) throw new Failure('expired')
  return { ...found, ...(await openSession(tx, context, found.user)) }
}

async function answerSession(context: HandlerContext, { user, adminEmail, token, browser }: Awaited<ReturnType<typeof signIn>>) {
  setCookies(context, token, browser)
  await startOverdueSync(context, user.accountId)
  return { user: presentUser(user, adminEmail), token }
}
