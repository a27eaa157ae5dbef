import type * as z from 'zod/mini'
import type { Made, NewTeamUser, TeamUser } from '#contracts/accounts/team.ts'
import { personName } from '#contracts/rules/user.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { isLoginTaken, removeUser } from '#server/accounts/users/users.store.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { CONFIRMATION_EMAILS_PER_HOUR, issueKey } from '#server/outbox/mail-keys.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import {
  deleteMade,
  findMember,
  forgetMaker,
  insertMember,
  listAssignments,
  listAssignmentsOf,
  listDeviceIds,
  listMade,
  listUsers,
  replaceAssignments,
  type UserRow,
} from './team.store.ts'

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

/** Invitations are counted by address, so that removing and inviting a member again sends no more mails. */
async function countInvitation(tx: Tx, { clock, limits }: ViewerContext, kind: 'invite' | 'invitation', email: string) {
  if (limits.credentials) await countAttempt(tx, `${kind}:${sha256(email)}`, INVITATION_LIMIT, clock.now())
}

async function sendInvitation(tx: Tx, { clock, ids }: ViewerContext, { member, admin }: { member: UserRow; admin: UserRow }) {
  const key = await issueKey(tx, { clock, ids }, { userId: member.id, kind: 'invitation' })
  const data = { key, inviter: personName(admin.firstName, admin.lastName, member.language) }
  await queueMail(tx, { to: member.email, template: 'invitation', ...recipientColumns(member), data, now: clock.now() })
}

const nameCollator = new Intl.Collator('en')
const byName = (a: TeamUser, b: TeamUser) =>
  nameCollator.compare(a.last_name, b.last_name) || nameCollator.compare(a.first_name, b.first_name) || a.id - b.id

export async function listTeam(db: DbReader, accountId: number) {
  const people = await listUsers(db, accountId)
  const all = await listDeviceIds(db, accountId)
  const lists = new Map<number, number[]>(people.map(({ id, role }) => [id, role === 'pro' ? [] : all]))
  for (const { userId, deviceId } of await listAssignments(db, accountId)) if (lists.get(userId) !== all) lists.get(userId)?.push(deviceId)
  return people.map((user) => presentTeamUser(user, lists.get(user.id) ?? [])).sort(byName)
}

export async function getMember(db: DbReader, { accountId, id }: { accountId: number; id: number }) {
  const member = (await listTeam(db, accountId)).find((user) => user.id === id)
  if (!member) throw new Failure('not_found')
  return member
}

const presentTeamUser = (user: UserRow, devices: number[]): TeamUser => ({
  id: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  role: user.role,
  devices,
  status: user.passwordHash === null ? 'invited' : 'active',
})

/**
 * Replaces a member's list of trackers. Throws for the administrator, who always sees every tracker, and for trackers of other accounts.
 */
async function assignDevices(tx: Tx, { id, accountId, role }: UserRow, deviceIds: number[]) {
  if (role !== 'pro') throw invalidField('devices', 'are all trackers for the administrator')
  const known = new Set(await listDeviceIds(tx, accountId))
  if (deviceIds.some((device) => !known.has(device))) throw invalidField('devices', 'names a tracker that is not of the account')
  await replaceAssignments(tx, id, [...new Set(deviceIds)])
}

export async function readMade({ db, viewer: { accountId } }: ViewerContext, id: number): Promise<Made> {
  const member = await findMember(db.read, { accountId, id })
  if (!member) throw new Failure('not_found')
  return listMade(db.read, member)
}

/** Replaces a member's list of trackers, and ends the links and keys that they made for trackers they no longer see. */
export async function changeDevices(
  tx: Tx,
  context: ViewerContext,
  member: UserRow,
  { devices, made }: { devices: number[]; made: WhatIsMade },
) {
  const before = await listAssignmentsOf(tx, member.id)
  await assignDevices(tx, member, devices)
  if (made !== 'keep')
    await endMade(
      tx,
      context,
      member,
      before.filter((device) => !devices.includes(device)),
    )
}

/**
 * Ends the links and keys that a member made for these trackers, or for any, and in that case their network keys and their alert contact
 * too. A link to several trackers ends with the first one lost.
 */
async function endMade(tx: Tx, context: ViewerContext, member: UserRow, lost: readonly number[] | 'any') {
  const isLost = ({ id }: { id: number }) => lost === 'any' || lost.includes(id)
  const all = await listMade(tx, member)
  const ended = {
    links: all.links.filter(({ devices }) => devices.some(isLost)),
    keys: all.keys.filter(({ device }) => isLost(device)),
    contacts: lost === 'any' ? all.contacts : [],
    network_keys: lost === 'any' ? all.network_keys : [],
  }
  await deleteMade(tx, ended)
  for (const { devices } of ended.links) {
    const about = devices.map(({ name }) => name).join(', ')
    await recordEvent(tx, context, { kind: 'link_removed', aboutId: devices[0]!.id, about })
  }
  for (const { device } of ended.keys) await recordEvent(tx, context, { kind: 'key_removed', aboutId: device.id, about: device.name })
  for (const { label } of ended.network_keys) await recordEvent(tx, context, { kind: 'key_removed', about: label })
}

type WhatIsMade = 'end' | 'keep' | undefined

/**
 * Removes a user, their sessions and their list of trackers. Also ends the links and keys that the user made, unless `made` is `keep`. The
 * trackers stay in the account. Throws `own_account` for the signed-in user.
 */
export async function removeMember(context: ViewerContext, id: number, made: WhatIsMade) {
  const { userId, accountId } = context.viewer
  if (id === userId) throw new Failure('own_account')
  await context.db.write([`account:${accountId}`], async (tx) => {
    const member = await findMember(tx, { accountId, id })
    if (!member) throw new Failure('not_found')
    await recordEvent(tx, context, { kind: 'member_removed', about: member.email })
    if (made !== 'keep') await endMade(tx, context, member, 'any')
    await forgetMaker(tx, member.id)
    await removeUser(tx, member)
  })
}
