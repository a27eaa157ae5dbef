import { findDevice, type Viewer } from '#db/scope.ts'
import { viewerOf } from '#db/sessions.ts'
import type { Reader } from '#db/sqlite/open.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { Context } from '#server/ports/world.ts'

/** Whether the viewer may know of it: the scope of D-01, asked when it happens, for a team's list may have changed. */
export async function mayHear(db: Reader, viewer: Viewer, { accountId, deviceId }: LiveEvent) {
  if (viewer.role === 'deepsupport') return true
  if (accountId !== viewer.accountId) return false
  return viewer.role !== 'pro' || (await findDevice(db, viewer, deviceId)) !== undefined
}

/** False once the session has ended, by whatever way (D-36), or the person was given other rights. */
export async function isStillViewer({ db, clock, session, viewer }: Pick<Context, 'db' | 'clock' | 'session' | 'viewer'>) {
  const now = await viewerOf(db.read, session, clock.now())
  return now?.accountId === viewer.accountId && now.role === viewer.role
}
