import type { users as contract } from '#contracts/users.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { changeSettings } from './change-settings.ts'
import { eraseSelf } from './erase.ts'
import { sendRequestedConfirmation } from './mail-confirmation.ts'
import { registerUser } from './register.ts'
import { presentSettings, presentUser } from './users.present.ts'
import { findUserWithAdminEmail } from './users.store.ts'

export const users: Handlers<typeof contract> = {
  async register({ body }, context) {
    return { user: presentUser(await registerUser(context, body), null) }
  },
  async me(_, context) {
    const { user, adminEmail } = await getSelf(context)
    return presentUser(user, adminEmail)
  },
  async sendConfirmation({ body }, context) {
    const { user, adminEmail } = await getSelf(context)
    if (body.send_email_confirmation && !user.emailConfirmed) await context.db.write((tx) => sendRequestedConfirmation(tx, context, user))
    return presentUser(user, adminEmail)
  },
  async erase({ query }, context) {
    if (query.profile !== 'all') throw new Failure('profile_required')
    await eraseSelf(context)
    return { deleted: true }
  },
  async settings(_, context) {
    const { user, adminEmail } = await getSelf(context)
    return presentSettings(user, adminEmail)
  },
  async changeSettings({ body }, context) {
    await changeSettings(context, body)
    const { user, adminEmail } = await getSelf(context)
    return presentSettings(user, adminEmail)
  },
}

/** Returns the signed-in user. Throws `not_authenticated` when the account was removed after the session was looked up. */
async function getSelf({ db, viewer }: ViewerContext) {
  const person = await findUserWithAdminEmail(db.read, viewer.userId)
  if (!person) throw new Failure('not_authenticated')
  return person
}
