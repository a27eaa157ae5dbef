import { findDevice, type Viewer } from '#db/scope.ts'
import { viewerOf } from '#db/sessions.ts'
import type { Reader } from '#db/sqlite/open.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Whether the event is in the viewer's scope. Checked per event, because the tracker list of a team member may change. */
export async function canSeeEvent(db: Reader, viewer: Viewer, { accountId, deviceId }: LiveEvent) {
  if (viewer.role === 'deepsupport') return true
  if (accountId !== viewer.accountId) return false
  return viewer.role !== 'pro' || (await findDevice(db, viewer, deviceId)) !== undefined
}

/** False once the session has ended in any way, or the user's role or account has changed. */
export async function isSessionValid({ db, clock, session, viewer }: Pick<ViewerContext, 'db' | 'clock' | 'session' | 'viewer'>) {
  const now = await viewerOf(db.read, session, clock.now())
  return now?.accountId === viewer.accountId && now.role === viewer.role
}
