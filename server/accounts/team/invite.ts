import type * as z from 'zod/mini'
import type { NewTeamUser } from '#contracts/accounts/team.ts'
import { CONFIRMATION_EMAILS_PER_HOUR } from '#contracts/lib/constants.ts'
import { personName } from '#contracts/rules/user.ts'
import type { Tx } from '#db/db.ts'
import { isLoginTaken } from '#server/accounts/users/users.store.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { issueKey } from '#server/mail/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { assignDevices, getMember } from './members.ts'
import { findMember, insertMember, type UserRow } from './team.store.ts'

const INVITATION_LIMIT = { max: CONFIRMATION_EMAILS_PER_HOUR, windowMinutes: 60 }

export const inviteMember = (context: ViewerContext, { email, devices, ...given }: z.output<typeof NewTeamUser>) =>
  context.db.write([`account:${context.viewer.accountId}`, `login:${email}`], async (tx) => {
    const admin = await getAdmin(tx, context)
    if (await isLoginTaken(tx, [email])) throw new Failure('email_exists')
    await countInvitation(tx, context, 'invite', email)
    const member = await insertMember(tx, {
      accountId: admin.accountId,
      username: email,
      email,
      role: 'pro',
      firstName: given.first_name,
      lastName: given.last_name,
      language: given.language ?? admin.language,
      currency: admin.currency,
      timeZone: admin.timeZone,
      createdAt: context.clock.now(),
    })
    await assignDevices(tx, member, devices)
    await sendInvitation(tx, context, { member, admin })
    await recordEvent(tx, context, { kind: 'member_added', about: email })
    return getMember(tx, member)
  })

/** Mails a new link to a member without a password. Throws `already_active`, or `throttled` after 5 an hour. */
export const resendInvitation = (context: ViewerContext, id: number) =>
  context.db.write([`account:${context.viewer.accountId}`], async (tx) => {
    const admin = await getAdmin(tx, context)
    const member = await findMember(tx, { accountId: admin.accountId, id })
    if (!member) throw new Failure('not_found')
    if (member.passwordHash !== null) throw new Failure('already_active')
    await countInvitation(tx, context, 'invitation', member.email)
    await sendInvitation(tx, context, { member, admin })
  })

async function getAdmin(tx: Tx, { viewer: { userId, accountId } }: ViewerContext) {
  const admin = await findMember(tx, { accountId, id: userId })
  if (!admin) throw new Failure('not_authenticated')
  return admin
}

/** Counted by address, so that removing and inviting a member again sends no more mails. */
async function countInvitation(tx: Tx, { clock, limits }: ViewerContext, kind: 'invite' | 'invitation', email: string) {
  if (limits.credentials) await countAttempt(tx, `${kind}:${sha256(email)}`, INVITATION_LIMIT, clock.now())
}

async function sendInvitation(tx: Tx, { clock, ids }: ViewerContext, { member, admin }: { member: UserRow; admin: UserRow }) {
  const key = await issueKey(tx, { clock, ids }, { userId: member.id, kind: 'invitation' })
  const data = { key, inviter: personName(admin.firstName, admin.lastName, member.language) }
  await queueMail(tx, { to: member.email, template: 'invitation', ...recipientColumns(member), data, now: clock.now() })
}
