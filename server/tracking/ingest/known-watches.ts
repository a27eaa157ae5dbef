import { LRUCache } from 'lru-cache'
import { onCommit } from '#db/commit-hooks.ts'
import type { Db, Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Watch } from '#server/alerts/rules/watch.ts'

type Known = { accountId: number; version: number; watches: Watch[] }

/** Watches that are remembered for each database; one takes about half a kilobyte. */
const MAX_WATCHES = 50_000

const caches = new WeakMap<Db, LRUCache<number, Known>>()

function cacheOf(db: Db) {
  const cache =
    caches.get(db) ?? new LRUCache<number, Known>({ maxSize: MAX_WATCHES, sizeCalculation: ({ watches }) => 1 + watches.length })
  caches.set(db, cache)
  return cache
}

/** The watches of a tracker as its last message has left them, unless their rows have changed since. */
export function findKnownWatches(db: Db, deviceId: number): Watch[] | undefined {
  const known = cacheOf(db).get(deviceId)
  return known && db.watchVersion({ id: deviceId, accountId: known.accountId }) === known.version ? known.watches : undefined
}

/** Remembers the watches of a tracker once they are committed, so that its next message need not read and parse their rows. */
export function keepWatches(tx: Tx, db: Db, trackers: Iterable<{ device: DeviceRow; watches?: Watch[] | undefined }>) {
  onCommit(tx, () => {
    for (const { device, watches } of trackers) {
      // A rule about two trackers also depends on the rows of the other.
      const isKnown = watches?.every(({ pair }) => pair === null)
      const version = isKnown ? db.watchVersion(device) : null
      if (watches && version !== null) cacheOf(db).set(device.id, { accountId: device.accountId, version, watches })
    }
  })
}
