import { findUser } from '#server/accounts/sessions/sessions.store.ts'
import { mailConfirmationAgain } from '#server/accounts/users/mail-confirmation.ts'
import { knownKey, takeKey } from '#server/mail/mail-keys.ts'
import type { World } from '#server/ports/world.ts'
import { markConfirmed } from './confirmations.store.ts'

/** Confirms the e-mail of an account (E-85). Throws `invalid_key`, or `expired` while the e-mail is not confirmed. */
export const confirmEmail = ({ db, clock }: World, key: string) =>
  db.write(async (tx) => {
    const { userId } = await knownKey(tx, key, ['confirm'])
    if ((await findUser(tx, userId))?.emailConfirmed) return 'already_confirmed' as const
    await takeKey(tx, key, ['confirm'], clock.now())
    await markConfirmed(tx, userId)
    return 'confirmed' as const
  })

/** Mails a new link to whoever was sent the key, whether or not it still works; none once the e-mail is confirmed (E-86). */
export const resendConfirmation = (world: World, key: string) =>
  world.db.write(async (tx) => {
    const { userId } = await knownKey(tx, key, ['confirm'])
    const user = await findUser(tx, userId)
    if (user && !user.emailConfirmed) await mailConfirmationAgain(tx, world, user)
  })
