import type { factorSignIn as contract } from '#contracts/accounts/second-factor.ts'
import type { Tx } from '#db/db.ts'
import { completeChallenge, completePasskeySignIn, issueChallenge } from '#server/accounts/factors/factors.ts'
import { createRequestOptions } from '#server/accounts/factors/webauthn.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import { startOverdueSync } from '#server/billing/sync/sync-customer.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { HandlerContext } from '#server/ports/world.ts'
import { setCookies } from './sessions.handlers.ts'
import { findUserWithAccount } from './sessions.store.ts'
import { openSession } from './sign-in.ts'

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
