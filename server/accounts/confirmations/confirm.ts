import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { sendRequestedConfirmation } from '#server/accounts/users/mail-confirmation.ts'
import { knownKey, takeKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import { markEmailConfirmed } from './confirmations.store.ts'

export const confirmEmail = ({ db, clock }: World, key: string) =>
  db.write(async (tx) => {
    const { userId } = await knownKey(tx, key, ['confirm'])
    if ((await findUser(tx, userId))?.emailConfirmed) return 'already_confirmed' as const
    await takeKey(tx, key, ['confirm'], clock.now())
    await markEmailConfirmed(tx, userId)
    return 'confirmed' as const
  })

/** Mails a new link to the owner of the key, even when the key has expired, unless the e-mail is confirmed. */
export const resendConfirmation = (world: World, key: string) =>
  world.db.write(async (tx) => {
    const { userId } = await knownKey(tx, key, ['confirm'])
    const user = await findUser(tx, userId)
    if (user && !user.emailConfirmed) await sendRequestedConfirmation(tx, world, user)
  })
