import type { Receipt } from '#contracts/positions.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { isBatteryReading } from '#contracts/rules/tracking/tracker.ts'
import { classifyDbError } from '#db/classify-error.ts'
import type { Db, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { lockAccounts } from '#db/scope.ts'
import { count } from '#server/lib/counts.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { findTracker, listAccounts } from '#server/tracking/history/positions.store.ts'
import { type DeviceMessage, type Outcome, takeMessage } from './take-message.ts'

/** The parts of a world that an uplink uses. */
export type IngestWorld = Pick<World, 'db' | 'positions' | 'clock' | 'geocode' | 'graceDays'>

type Item = {
  world: IngestWorld
  message: DeviceMessage
  deviceId: number | null
  resolve: (receipt: Receipt) => void
  reject: (reason: unknown) => void
}

/** Uplinks per transaction, so that other writers are not blocked for long. */
const MAX_GROUP = 200

const queues = new WeakMap<Db, Item[]>()

/**
 * Ingests one uplink; resolves once it is committed. The time comes from `world.clock`, so history is replayed by passing a world with
 * another clock. Throws `unknown_tracker`, also when `deviceId`, the only tracker of the device key, is not the one in the message. All
 * uplinks of one tick of the event loop share a transaction, because a commit costs as much as fifty of them.
 */
export const ingest = (world: IngestWorld, message: DeviceMessage, deviceId: number | null = null) =>
  new Promise<Receipt>((resolve, reject) => {
    const item = { world, message, deviceId, resolve, reject }
    const queue = queues.get(world.db)
    if (queue) return void queue.push(item)
    queues.set(world.db, [item])
    setImmediate(() => commit(world.db))
  })

function commit(db: Db) {
  const queue = queues.get(db) ?? []
  queues.delete(db)
  for (let first = 0; first < queue.length; first += MAX_GROUP) void commitGroup(db, queue.slice(first, first + MAX_GROUP))
}

/**
 * When a group fails, its items are retried one by one, so that a bad uplink cannot fail others; not when the database is unavailable, where
 * each would wait as long again.
 */
async function commitGroup(db: Db, items: Item[]) {
  try {
    resolveItems(items, await ingestGroup(db, items))
  } catch (error) {
    if (items.length === 1 || classifyDbError(error) === 'unavailable') return items.forEach(({ reject }) => void reject(error))
    for (const item of items) await commitGroup(db, [item])
  }
}

const ingestGroup = (db: Db, items: Item[]) =>
  writeDevices(db, groupLock(items), async (tx) => {
    const outcomes: (Outcome | Failure)[] = []
    for (const item of items) outcomes.push(await ingestOne(tx, item))
    return outcomes
  })

/** Locks the accounts of all trackers of the group. */
const groupLock = (items: Item[]) =>
  lockAccounts((db) =>
    listAccounts(
      db,
      items.map(({ message, deviceId }) => ({ ...normalizeNumbers(message), deviceId })),
    ),
  )

/** A rejected uplink writes nothing, so it does not have to abort the transaction. */
async function ingestOne(tx: Tx, { world, message, deviceId }: Item) {
  const device = await findTracker(tx, normalizeNumbers(message), deviceId)
  if (!device) return new Failure('unknown_tracker')
  if (message.battery !== undefined && !isBatteryReading(device.type, message.battery))
    return invalidField('battery', 'Not within -1 to 100 percent, or to 10000 mV for a tracker_02')
  return takeMessage(tx, world, device, message)
}

function resolveItems(items: Item[], outcomes: (Outcome | Failure)[]) {
  for (const [index, { world, resolve, reject }] of items.entries()) {
    const outcome = outcomes[index]!
    if (outcome instanceof Failure) {
      reject(outcome)
      continue
    }
    countPositions(world.db, outcome)
    resolve(outcome.receipt)
  }
}

function countPositions(db: Db, { receipt: { accepted, ignored, refused = [] }, leftOut }: Outcome) {
  if (accepted > 0) count(db, 'positions_total', { outcome: 'accepted' }, accepted)
  if (ignored > 0) count(db, 'positions_total', { outcome: 'known' }, ignored)
  for (const { reason } of refused) count(db, 'positions_total', { outcome: reason })
  for (const reason of leftOut) count(db, 'positions_left_out_total', { reason })
}

/** Undefined: not in the message. Null: malformed, so no tracker has it. */
const normalizeNumbers = ({ identifier, serial }: DeviceMessage) => ({
  identifier: identifier === undefined ? undefined : normalizeIdentifier(identifier),
  serial: serial === undefined ? undefined : normalizeSerial(serial),
})
