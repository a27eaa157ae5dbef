import type { TeamUser } from '#contracts/team.ts'
import type { Reader } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { presentTeamUser } from './team.present.ts'
import { listAssignments, listDeviceIds, listUsers } from './team.store.ts'

const nameCollator = new Intl.Collator('en')
const byName = (a: TeamUser, b: TeamUser) =>
  nameCollator.compare(a.last_name, b.last_name) || nameCollator.compare(a.first_name, b.first_name) || a.id - b.id

export async function listTeam(db: Reader, accountId: number) {
  const people = await listUsers(db, accountId)
  const all = await listDeviceIds(db, accountId)
  const lists = new Map<number, number[]>(people.map(({ id, role }) => [id, role === 'pro' ? [] : all]))
  for (const { userId, deviceId } of await listAssignments(db, accountId)) if (lists.get(userId) !== all) lists.get(userId)?.push(deviceId)
  return people.map((user) => presentTeamUser(user, lists.get(user.id) ?? [])).sort(byName)
}

export async function getMember(db: Reader, { accountId, id }: { accountId: number; id: number }) {
  const member = (await listTeam(db, accountId)).find((user) => user.id === id)
  if (!member) throw new Failure('not_found')
  return member
}
