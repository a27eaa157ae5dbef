import type { Receipt } from '#contracts/positions.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { isBatteryReading } from '#contracts/rules/tracking/tracker.ts'
import type { Db, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { count } from '#server/lib/counts.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { isNamed } from '#server/tracking/history/positions.store.ts'
import { createGroupCommit, type Queued } from './group-commit.ts'
import { collectWrites, type GroupWrites, loadTrackers, type Tracker } from './group-writes.ts'
import { keepWatches } from './known-watches.ts'
import { type DeviceMessage, followMessage, type Outcome } from './take-message.ts'

/** The parts of a world that an uplink uses. */
export type IngestWorld = Pick<World, 'db' | 'positions' | 'clock' | 'geocode' | 'graceDays'>

type Item = Queued & {
  world: IngestWorld
  message: DeviceMessage
  resolve: (receipt: Receipt) => void
  reject: (reason: unknown) => void
}

const groups = new WeakMap<Db, ReturnType<typeof createGroupCommit<Item>>>()

/**
 * Ingests one uplink; resolves once it is committed. The time comes from `world.clock`, so history is replayed by passing a world with
 * another clock. Throws `unknown_tracker`, also when `deviceId`, the only tracker of the device key, is not the one in the message. Uplinks
 * that wait at the same time share a transaction, because a commit costs as much as fifty of them.
 */
export const ingest = (world: IngestWorld, message: DeviceMessage, deviceId: number | null = null) =>
  new Promise<Receipt>((resolve, reject) => {
    const known = groups.get(world.db)
    const group = known ?? createGroups(world.db)
    if (!known) groups.set(world.db, group)
    group.add({ name: { ...normalizeNumbers(message), deviceId }, world, message, resolve, reject })
  })

const createGroups = (db: Db) =>
  createGroupCommit<Item>(db, {
    async commit(items, patienceMs) {
      const outcomes = await ingestGroup(db, items, patienceMs)
      return items.filter((item, index) => !settle(item, outcomes[index]))
    },
    refuse: ({ reject }) => reject(new Failure('unknown_tracker')),
    fail: ({ reject }, error) => reject(error),
  })

/** Processes uplinks in one transaction, each tracker's in their order. Undefined for one whose tracker is not the known one. */
function ingestGroup(db: Db, items: Item[], patienceMs: number | undefined) {
  const { positions } = items[0]!.world
  const ids = [...new Set(items.map(({ tracker }) => tracker!.id))]
  const keys = [...new Set(items.map(({ tracker }) => `account:${tracker!.accountId}` as const))]
  let trackers: Awaited<ReturnType<typeof loadTrackers>>
  const first = async (tx: Tx) => {
    trackers = await loadTrackers(tx, db, ids)
  }
  return writeDevices(db, { keys, first, ...(patienceMs !== undefined && { patienceMs }) }, async (tx) => {
    const writes = collectWrites(tx, positions)
    const outcomes: (Outcome | Failure | undefined)[] = []
    for (const item of items) outcomes.push(await ingestOne(tx, item, trackers.get(item.tracker!.id), writes))
    await writes.writeLast()
    keepWatches(tx, db, trackers.values())
    return outcomes
  })
}

/** A rejected uplink writes nothing, so it does not have to abort the transaction. */
async function ingestOne(tx: Tx, { world, name, message, tracker: known }: Item, tracker: Tracker | undefined, writes: GroupWrites) {
  if (!tracker || tracker.device.accountId !== known!.accountId || !isNamed(tracker.device, name)) return undefined
  if (message.battery !== undefined && !isBatteryReading(tracker.device.type, message.battery))
    return invalidField('battery', 'Not within -1 to 100 percent, or to 10000 mV for a tracker_02')
  return followMessage(tx, world, { tracker, writes }, message)
}

function settle({ world, resolve, reject }: Item, outcome: Outcome | Failure | undefined) {
  if (outcome === undefined) return false
  if (outcome instanceof Failure) reject(outcome)
  else {
    countPositions(world.db, outcome)
    resolve(outcome.receipt)
  }
  return true
}

function countPositions(db: Db, { receipt: { accepted, ignored, refused = [] }, leftOut }: Outcome) {
  if (accepted > 0) count(db, 'positions_total', { outcome: 'accepted' }, accepted)
  if (ignored > 0) count(db, 'positions_total', { outcome: 'known' }, ignored)
  for (const { reason } of refused) count(db, 'positions_total', { outcome: reason })
  for (const reason of leftOut) count(db, 'positions_left_out_total', { reason })
}

const normalizeNumbers = ({ identifier, serial }: DeviceMessage) => ({
  identifier: identifier === undefined ? undefined : normalizeIdentifier(identifier),
  serial: serial === undefined ? undefined : normalizeSerial(serial),
})
