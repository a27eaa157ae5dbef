import type { Message } from '#contracts/positions.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import type { Db } from '#db/open.ts'
import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import type { World } from '#server/lib/world.ts'
import { findTracker } from './store.ts'
import { type Outcome, takeMessage } from './take-message.ts'

/** What of a world a message touches. */
export type IngestWorld = Pick<World, 'db' | 'positions' | 'clock' | 'geocode' | 'live'>

export type Accepted = { accepted: number; ignored: number }

type Item = { world: IngestWorld; message: Message; resolve: (accepted: Accepted) => void; reject: (reason: unknown) => void }

/** More in one transaction would hold up other writers. */
const MAX_GROUP = 200

const queues = new WeakMap<Db, Item[]>()

/**
 * Takes a message of a tracker, which is a communication (D-33); "now" is what the world's clock says, so that who plays
 * the past may hand over a world with another clock. Answers once it is kept. Throws `unknown_tracker`.
 *
 * All messages of one turn of the event loop share a transaction: one commit costs as much as fifty.
 */
export const ingest = (world: IngestWorld, message: Message) =>
  new Promise<Accepted>((resolve, reject) => {
    const item = { world, message, resolve, reject }
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
    const outcomes: (Outcome | null)[] = []
    for (const { world, message } of items) {
      const device = await findTracker(tx, numbersOf(message))
      if (device) touch(device)
      outcomes.push(device ? await takeMessage(tx, world, device, message) : null)
    }
    return outcomes
  })

function settle(items: Item[], outcomes: (Outcome | null)[]) {
  for (const [index, { world, resolve, reject }] of items.entries()) {
    const outcome = outcomes[index]
    if (!outcome) {
      reject(new Failure('unknown_tracker'))
      continue
    }
    for (const event of outcome.events) world.live.publish(event)
    resolve({ accepted: outcome.accepted, ignored: outcome.ignored })
  }
}

const numbersOf = ({ identifier, serial }: Message) => ({
  identifier: identifier === undefined ? null : normalizeIdentifier(identifier),
  serial: serial === undefined ? null : normalizeSerial(serial),
})
