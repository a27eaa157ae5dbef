import type { confirmations as contract } from '#contracts/accounts/confirmations.ts'
import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { sendRequestedConfirmation } from '#server/accounts/users/register.ts'
import type { Handlers } from '#server/http/serve.ts'
import { consumeKey, getKey, keyLock } from '#server/outbox/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import { confirmEmailChange, requestEmailChange } from './change-email.ts'
import { markEmailConfirmed } from './confirmations.store.ts'

export const confirmations: Handlers<typeof contract> = {
  async confirm({ body }, context) {
    return { status: await confirmEmail(context, body.key) }
  },
  async resend({ body }, context) {
    await resendConfirmation(context, body.key)
    return { sent: true }
  },
  async change({ body }, context) {
    await requestEmailChange(context, body)
    return { sent: true }
  },
  async confirmChange({ body }, context) {
    return { status: 'confirmed', email: await confirmEmailChange(context, body.key) }
  },
}

const confirmEmail = ({ db, clock }: World, key: string) =>
  db.write(keyLock(key), async (tx) => {
    const { userId } = await getKey(tx, key, ['confirm'])
    if ((await findUser(tx, userId))?.emailConfirmed) return 'already_confirmed' as const
    await consumeKey(tx, key, ['confirm'], clock.now())
    await markEmailConfirmed(tx, userId)
    return 'confirmed' as const
  })

/** Mails a new link to the owner of the key, even when the key has expired, unless the e-mail is already confirmed. */
const resendConfirmation = (world: World, key: string) =>
  world.db.write(keyLock(key), async (tx) => {
    const { userId } = await getKey(tx, key, ['confirm'])
    const user = await findUser(tx, userId)
    if (user && !user.emailConfirmed) await sendRequestedConfirmation(tx, world, user)
  })
