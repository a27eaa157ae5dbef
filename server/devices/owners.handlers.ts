import { personName } from '#contracts/rules/user.ts'
import type { owners as contract, TrackerOwner } from '#contracts/trackers/owners.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listDeviceOwners } from './devices.store.ts'

export const owners: Handlers<typeof contract> = {
  async list(_, { db }) {
    const owners = new Map<number, TrackerOwner>()
    for (const { id, user } of await listDeviceOwners(db.read)) {
      const { email, firstName, lastName, language } = user
      const owner = owners.get(user.id) ?? { id: user.id, email, name: personName(firstName, lastName, language), trackers: [] }
      owner.trackers.push(id)
      owners.set(user.id, owner)
    }
    return [...owners.values()]
  },
}
