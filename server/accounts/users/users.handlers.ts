import type * as z from 'zod/mini'
import type { users as contract, SettingsChange } from '#contracts/accounts/users.ts'
import { isBirthDate } from '#contracts/rules/user.ts'
import { restartDeadlines } from '#server/alerts/due-alerts.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { eraseSelf } from './erase-self.ts'
import { registerUser, sendRequestedConfirmation } from './register.ts'
import { presentSettings, presentUser } from './users.present.ts'
import { findUserWithAdminEmail, updateAdminEmail, updateUser } from './users.store.ts'

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
    if (body.send_email_confirmation && !user.emailConfirmed)
      await context.db.write([`account:${user.accountId}`], (tx) => sendRequestedConfirmation(tx, context, user))
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

async function changeSettings({ db, clock, viewer }: ViewerContext, body: z.output<typeof SettingsChange>) {
  const { admin_email: adminEmail, birthday } = body
  if (adminEmail !== undefined && viewer.role !== 'admin') throw invalidField('admin_email', 'is only for pro administrators')
  if (birthday && !isBirthDate(birthday, clock.now())) throw invalidField('birthday', 'is not a day of the past')
  const change = {
    ...(body.firstname !== undefined && { firstName: body.firstname }),
    ...(body.lastname !== undefined && { lastName: body.lastname }),
    ...(birthday !== undefined && { birthDate: birthday }),
    ...(body.language !== undefined && { language: body.language }),
    ...(body.currency !== undefined && { currency: body.currency }),
    ...(body.time_zone !== undefined && { timeZone: body.time_zone }),
    ...(body.marketing_consent !== undefined && { marketingConsent: body.marketing_consent }),
  }
  await db.write([`account:${viewer.accountId}`], async (tx) => {
    if (Object.keys(change).length > 0) await updateUser(tx, viewer.userId, change)
    if (body.time_zone !== undefined) await restartDeadlines(tx, viewer.accountId, clock.now())
    if (adminEmail !== undefined) await updateAdminEmail(tx, viewer.accountId, adminEmail)
  })
}
