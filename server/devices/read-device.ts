import type { Viewer } from '#db/scope.ts'
import type { Reader } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { presentDevice } from './devices.present.ts'
import { isHidden, listDeviceFacts } from './devices.store.ts'

/** Presents a tracker that the caller has checked to be the viewer's. */
export async function readDevice(db: Reader, viewer: Viewer, id: number, now: Date) {
  const [facts] = await listDeviceFacts(db, [id])
  if (!facts) throw new Failure('not_found')
  return presentDevice(facts, now, !(await isHidden(db, viewer, id)))
}
