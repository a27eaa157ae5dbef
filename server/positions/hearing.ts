import type { Reader } from '#db/open.ts'
import { findDevice, type Viewer } from '#db/scope.ts'
import type { LiveEvent } from '#server/lib/live.ts'
import { findViewer } from './store.ts'

/** Whether the viewer may know of it: the scope of D-01, asked when it happens, for a team's list may have changed. */
export async function mayHear(db: Reader, viewer: Viewer, { accountId, deviceId }: LiveEvent) {
  if (viewer.role === 'deepsupport') return true
  if (accountId !== viewer.accountId) return false
  return viewer.role !== 'pro' || (await findDevice(db, viewer, deviceId)) !== undefined
}

/** False once the person was removed or given other rights. */
export async function isStillViewer(db: Reader, { userId, accountId, role }: Viewer) {
  const viewer = await findViewer(db, userId)
  return viewer?.accountId === accountId && viewer.role === role
}
