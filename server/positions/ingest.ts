import type { Message } from '#contracts/positions.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import type { Tx } from '#db/open.ts'
import { toFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { World } from '#server/lib/world.ts'
import { findTracker, updateTracker } from './store.ts'

/**
 * Takes a message of a tracker, which is a communication (D-33); "now" is what the world's clock says of this message.
 * Throws `unknown_tracker`.
 */
export const ingest = (world: World, message: Message) => world.db.write((tx) => applyMessage(tx, world, message))

async function applyMessage(tx: Tx, world: World, message: Message) {
  const now = world.clock.now()
  const device = await senderOf(tx, message)
  let accepted = 0
  let newest: Partial<DeviceRow> = {}
  for (const fix of message.positions) {
    const at = new Date(fix.datetime)
    const place = { lat: toFixed7(fix.lat), lng: toFixed7(fix.lng), precision: fix.precision }
    const isNew = world.positions.add(device.id, { time: Math.floor(at.getTime() / 1000), ...place, event: null, battery: null })
    if (isNew) accepted++
    if (at <= (newest.positionAt ?? device.positionAt ?? new Date(0))) continue
    newest = { ...place, positionAt: at, address: world.geocode.nearest(fix)?.label ?? null }
  }
  const applied = device.pendingMode === null ? {} : { mode: device.pendingMode, pendingMode: null }
  const battery = message.battery === undefined ? device.battery : Math.round(message.battery)
  await updateTracker(tx, device.id, { ...newest, ...applied, battery, lastMessageAt: now })
  return { accepted, ignored: message.positions.length - accepted }
}

async function senderOf(tx: Tx, message: Message) {
  const identifier = message.identifier === undefined ? null : normalizeIdentifier(message.identifier)
  const serial = message.serial === undefined ? null : normalizeSerial(message.serial)
  const device = identifier === null && serial === null ? undefined : await findTracker(tx, { identifier, serial })
  if (!device) throw new Failure('unknown_tracker')
  return device
}
