import type { Message, Receipt } from '#contracts/positions.ts'
import { isBatteryReading } from '#contracts/rules/battery.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Db, Tx } from '#db/sqlite/open.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { findTracker } from './positions.store.ts'
import { type Outcome, takeMessage } from './take-message.ts'

/** What of a world a message touches. */
export type IngestWorld = Pick<World, 'db' | 'positions' | 'clock' | 'geocode' | 'live'>

type Item = {
  world: IngestWorld
  message: Message
  deviceId: number | null
  resolve: (receipt: Receipt) => void
  reject: (reason: unknown) => void
}

/** More in one transaction would hold up other writers. */
const MAX_GROUP = 200

const queues = new WeakMap<Db, Item[]>()

/**
 * Takes a message of a tracker, which is a communication (D-33); "now" is what the world's clock says, so that who plays
 * the past may hand over a world with another clock. Answers once it is kept. Throws `unknown_tracker`, also when the
 * message names another tracker than the one its key speaks for, `deviceId`.
 *
 * All messages of one turn of the event loop share a transaction: one commit costs as much as fifty.
 */
export const ingest = (world: IngestWorld, message: Message, deviceId: number | null = null) =>
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

/** If a group fails it is worked again one by one, so that one bad message can't fail its neighbours. */
async function commitGroup(db: Db, items: Item[]) {
  try {
    settle(items, await take(db, items))
  } catch (error) {
    if (items.length === 1) return items[0]!.reject(error)
    for (const item of items) await commitGroup(db, [item])
  }
}

const take = (db: Db, items: Item[]) =>
  writeDevices(db, async (tx, touch) => {
    const outcomes: (Outcome | Failure)[] = []
    for (const item of items) outcomes.push(await takeOne(tx, item, touch))
    return outcomes
  })

/** A message that is refused changes nothing, so it needs no transaction of its own to fail in. */
async function takeOne(tx: Tx, { world, message, deviceId }: Item, touch: (device: DeviceRow) => void) {
  const device = await findTracker(tx, numbersOf(message), deviceId)
  if (!device) return new Failure('unknown_tracker')
  if (message.battery !== undefined && !isBatteryReading(device.type, message.battery))
    return invalid('battery', 'Not within -1 to 100 percent, or to 10000 mV for a tracker_02')
  touch(device)
  return takeMessage(tx, world, device, message)
}

function settle(items: Item[], outcomes: (Outcome | Failure)[]) {
  for (const [index, { world, resolve, reject }] of items.entries()) {
    const outcome = outcomes[index]!
    if (outcome instanceof Failure) {
      reject(outcome)
      continue
    }
    for (const event of outcome.events) world.live.publish(event)
    resolve(outcome.receipt)
  }
}

/** Undefined is a number that was not said, null one that no tracker has. */
const numbersOf = ({ identifier, serial }: Message) => ({
  identifier: identifier === undefined ? undefined : normalizeIdentifier(identifier),
  serial: serial === undefined ? undefined : normalizeSerial(serial),
})
