import { CSRF_COOKIE, TOKEN_DAYS } from '#contracts/constants.ts'
import type { sessions as contract } from '#contracts/sessions.ts'
import { SESSION_COOKIE } from '#server/lib/access.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import type { Context } from '#server/lib/world.ts'
import { presentUser } from '#server/users/present.ts'
import { mailReset, setPassword } from './reset-password.ts'
import { startSession } from './sign-in.ts'
import { findUser } from './store.ts'
import { verifyLogin } from './verify-login.ts'

const SECONDS_A_DAY = 86_400

export const sessions: Handlers<typeof contract> = {
  async signIn({ body }, context) {
    const { user, adminEmail } = await verifyLogin(context, body)
    const token = await context.db.write((tx) => startSession(tx, context, user.id))
    const maxAge = TOKEN_DAYS * SECONDS_A_DAY
    context.cookies.set(SESSION_COOKIE, token, { httpOnly: true, maxAge })
    context.cookies.set(CSRF_COOKIE, context.ids.token(), { httpOnly: false, maxAge })
    return { user: presentUser(user, adminEmail), token }
  },
  async who(_, context) {
    return { username: (await self(context)).username }
  },
  async options(_, context) {
    const { emailConfirmed, role } = await self(context)
    return { email_confirmed: emailConfirmed, role }
  },
  async requestReset({ body }, context) {
    await mailReset(context, body.email)
    return { sent: true }
  },
  async reset({ body }, context) {
    await setPassword(context, body.key, body.new_password)
    return { status: 'changed' }
  },
}

/** The user of the session. Throws `not_authenticated` when the account has gone since the session was looked up. */
async function self({ db, viewer }: Context) {
  const user = await findUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  return user
}
