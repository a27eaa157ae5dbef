import type { Confirmation, recentSignIn as contract } from '#contracts/accounts/second-factor.ts'
import { RECENT_SIGN_IN_MINUTES } from '#contracts/lib/constants.ts'
import { formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { markConfirmed } from '#db/sessions.ts'
import { proveFactor, requireNoFactor } from '#server/accounts/factors/factors.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { getSignedInUser, verifyPassword } from './sign-in.ts'

export const recentSignIn: Handlers<typeof contract> = {
  async confirm({ body }, context) {
    await confirmSession(context, body)
    return { until: formatInstant(new Date(context.clock.now().getTime() + RECENT_SIGN_IN_MINUTES * MINUTE_MS)) }
  },
}

/** Throws `second_factor` for a password where the user has a factor, `invalid_password`, `invalid_code`, or `throttled`. */
async function confirmSession(context: ViewerContext, { password, challenge, ...proof }: Confirmation) {
  const user = await getSignedInUser(context)
  const confirm = (tx: Tx) => markConfirmed(tx, context.session, context.clock.now())
  if (password === undefined) return proveFactor(context, { userId: user.id, challenge, proof }, confirm)
  await requireNoFactor(context, user.id)
  await verifyPassword(context, user, password)
  return context.db.write([], confirm)
}
