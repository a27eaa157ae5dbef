import type { Tx } from '#db/sqlite/open.ts'
import { invalid } from '#server/lib/errors.ts'
import { listDeviceIds, replaceAssignments, type UserRow } from './team.store.ts'

/**
 * Replaces a member's list of trackers. Throws for the administrator, who always sees every tracker, and for trackers of other accounts.
 */
export async function assignDevices(tx: Tx, { id, accountId, role }: UserRow, wanted: number[]) {
  if (role !== 'pro') throw invalid('devices', 'are all trackers for the administrator')
  const known = new Set(await listDeviceIds(tx, accountId))
  if (wanted.some((device) => !known.has(device))) throw invalid('devices', 'names a tracker that is not of the account')
  await replaceAssignments(tx, id, [...new Set(wanted)])
}
