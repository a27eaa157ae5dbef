import type * as z from 'zod/mini'
import { isBirthDate } from '#contracts/rules/user.ts'
import type { Registration } from '#contracts/users.ts'
import { runPasswordWork } from '#server/http/limits.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
import { hashPassword } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'
import { sendConfirmation } from './mail-confirmation.ts'
import { insertUserWithAccount, isLoginTaken } from './users.store.ts'

export async function registerUser(world: World, body: z.output<typeof Registration>) {
  const { db, clock } = world
  const now = clock.now()
  const { email } = body
  const username = body.username?.toLowerCase() ?? email
  if (body.birth_date && !isBirthDate(body.birth_date, now)) throw invalid('birth_date', 'is not a day of the past')
  if (await isLoginTaken(db.read, [email, username])) throw new Failure('email_exists')
  const passwordHash = await runPasswordWork(() => hashPassword(body.password))
  return db.write(async (tx) => {
    if (await isLoginTaken(tx, [email, username])) throw new Failure('email_exists')
    const user = await insertUserWithAccount(tx, {
      username,
      email,
      passwordHash,
      role: 'user',
      firstName: body.first_name,
      lastName: body.last_name,
      birthDate: body.birth_date ?? null,
      language: body.language ?? 'en',
      currency: body.currency ?? 'eur',
      marketingConsent: body.marketing_consent,
      timeZone: body.time_zone ?? null,
      createdAt: now,
    })
    await sendConfirmation(tx, world, user)
    return user
  })
}
