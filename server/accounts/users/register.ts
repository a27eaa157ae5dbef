import type * as z from 'zod/mini'
import type { Registration } from '#contracts/accounts/users.ts'
import { isBirthDate } from '#contracts/rules/user.ts'
import type { Tx } from '#db/db.ts'
import { countAttempt, runPasswordWork } from '#server/http/access/limits.ts'
import { requireGoodPassword } from '#server/lib/easy-passwords.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { hashPassword, sha256 } from '#server/lib/secrets.ts'
import { CONFIRMATION_EMAILS_PER_HOUR, issueKey } from '#server/outbox/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { HandlerContext, World } from '#server/ports/world.ts'
import type { UserRow } from './users.present.ts'
import { insertUserWithAccount, isLoginTaken } from './users.store.ts'

export async function registerUser(world: HandlerContext, body: z.output<typeof Registration>) {
  const { db, clock } = world
  const now = clock.now()
  const { email } = body
  const username = body.username ?? email
  if (body.birth_date && !isBirthDate(body.birth_date, now)) throw invalidField('birth_date', 'is not a day of the past')
  if (body.accepted_terms !== undefined && body.accepted_terms !== world.termsVersion)
    throw invalidField('accepted_terms', 'is not the version of the terms in force')
  requireGoodPassword('password', body.password, { email, username, firstName: body.first_name, lastName: body.last_name }, world)
  if (await isLoginTaken(db.read, [email, username])) throw new Failure('email_exists')
  const passwordHash = await runPasswordWork(world.caller.network, () => hashPassword(body.password))
  return db.write([`login:${email}`, `login:${username}`], async (tx) => {
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
      ...(body.accepted_terms !== undefined && { termsVersion: body.accepted_terms, termsAcceptedAt: now }),
      createdAt: now,
    })
    await sendConfirmation(tx, world, user)
    return user
  })
}

const CONFIRMATION_LIMIT = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

type Ports = Pick<World, 'clock' | 'ids'>

async function sendConfirmation(tx: Tx, world: Ports, user: UserRow) {
  const key = await issueKey(tx, world, { userId: user.id, kind: 'confirm' })
  await queueMail(tx, { to: user.email, template: 'confirm_email', ...recipientColumns(user), data: { key }, now: world.clock.now() })
}

/** Mails a confirmation link on request. Throws `throttled` after 5 an hour, counted over all endpoints. */
export async function sendRequestedConfirmation(tx: Tx, world: Ports, user: UserRow) {
  await countAttempt(tx, `confirm:${sha256(user.email)}`, CONFIRMATION_LIMIT, world.clock.now())
  await sendConfirmation(tx, world, user)
}
