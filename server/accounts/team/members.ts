import type { TeamUser } from '#contracts/accounts/team.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { removeUser } from '#server/accounts/users/users.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findMember, listAssignments, listDeviceIds, listUsers, replaceAssignments, type UserRow } from './team.store.ts'

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
export async function assignDevices(tx: Tx, { id, accountId, role }: UserRow, deviceIds: number[]) {
  if (role !== 'pro') throw invalidField('devices', 'are all trackers for the administrator')
  const known = new Set(await listDeviceIds(tx, accountId))
  if (deviceIds.some((device) => !known.has(device))) throw invalidField('devices', 'names a tracker that is not of the account')
  await replaceAssignments(tx, id, [...new Set(deviceIds)])
}

/**
 * Removes a user with their sessions and list of trackers; the trackers stay in the account. Throws `own_account` for the signed-in user.
 */
export async function removeMember(context: ViewerContext, id: number) {
  const { userId, accountId } = context.viewer
  if (id === userId) throw new Failure('own_account')
  await context.db.write([`account:${accountId}`], async (tx) => {
    const member = await findMember(tx, { accountId, id })
    if (!member) throw new Failure('not_found')
    await recordEvent(tx, context, { kind: 'member_removed', about: member.email })
    await removeUser(tx, { userId: member.id, email: member.email })
  })
}
