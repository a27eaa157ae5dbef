import type { TeamUser } from '#contracts/team.ts'
import type { Reader } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { presentTeamUser } from './team.present.ts'
import { deviceIdsOf, listsOf, teamOf } from './team.store.ts'

const names = new Intl.Collator('en')
const byName = (a: TeamUser, b: TeamUser) =>
  names.compare(a.last_name, b.last_name) || names.compare(a.first_name, b.first_name) || a.id - b.id

export async function readTeam(db: Reader, accountId: number) {
  const people = await teamOf(db, accountId)
  const all = await deviceIdsOf(db, accountId)
  const lists = new Map<number, number[]>(people.map(({ id, role }) => [id, role === 'pro' ? [] : all]))
  for (const { userId, deviceId } of await listsOf(db, accountId)) if (lists.get(userId) !== all) lists.get(userId)?.push(deviceId)
  return people.map((user) => presentTeamUser(user, lists.get(user.id) ?? [])).sort(byName)
}

export async function readMember(db: Reader, { accountId, id }: { accountId: number; id: number }) {
  const member = (await readTeam(db, accountId)).find((user) => user.id === id)
  if (!member) throw new Failure('not_found')
  return member
}
