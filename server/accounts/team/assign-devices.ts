import type { Tx } from '#db/sqlite/open.ts'
import { invalid } from '#server/lib/errors.ts'
import { deviceIdsOf, replaceList, type UserRow } from './team.store.ts'

/** Gives a member another list of trackers, all of the account. The administrator has no list: they see every tracker. */
export async function assignDevices(tx: Tx, { id, accountId, role }: UserRow, wanted: number[]) {
  if (role !== 'pro') throw invalid('devices', 'are all trackers for the administrator')
  const known = new Set(await deviceIdsOf(tx, accountId))
  if (wanted.some((device) => !known.has(device))) throw invalid('devices', 'names a tracker that is not of the account')
  await replaceList(tx, id, [...new Set(wanted)])
}
