import type { Reader } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { findTrackerByNumbers } from '#server/trackers/trackers.store.ts'

/** Returns the tracker on any account. Throws `unknown_tracker`, also for a free one, which needs no check. */
export async function getTrackerOnAccount(db: Reader, identifier: string) {
  const device = await findTrackerByNumbers(db, { identifier })
  if (!device) throw new Failure('unknown_tracker')
  return device
}
