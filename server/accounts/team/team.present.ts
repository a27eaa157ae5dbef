import type { TeamUser } from '#contracts/team.ts'
import type { UserRow } from './team.store.ts'

export const presentTeamUser = (user: UserRow, devices: number[]): TeamUser => ({
  id: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  role: user.role,
  devices,
  status: user.passwordHash === null ? 'invited' : 'active',
})
