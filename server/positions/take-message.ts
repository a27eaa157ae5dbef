import type { Message } from '#contracts/positions.ts'
import type { Tx } from '#db/open.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { keepWatches, tell, watchesOf } from '#server/alerts/guard.ts'
import { presentConfig, presentStatus } from '#server/devices/present.ts'
import type { LiveEvent } from '#server/lib/live.ts'
import { keepEvent } from '#server/lib/live-log/store.ts'
import type { World } from '#server/lib/world.ts'
import { communicate } from './communication.ts'
import { standingOf } from './motion.ts'
import { findPace, findPoint, saveSeen } from './store.ts'
import { fixesOf, takeFixes } from './take-fixes.ts'

export type Outcome = { accepted: number; ignored: number; events: LiveEvent[] }

/** Works a message of a tracker within a transaction; answers the live events to publish once it is kept. */
export async function takeMessage(
  tx: Tx,
  world: Pick<World, 'clock' | 'positions' | 'geocode'>,
  before: DeviceRow,
  message: Message,
): Promise<Outcome> {
  const now = world.clock.now()
  const spoken = communicate(before, message.battery, now)
  const fixes = fixesOf(message, now)
  const arrival = fixes.length > 0 && before.stationarySince ? await findPoint(tx, before.id, before.stationarySince) : null
  const watches = fixes.length > 0 ? await watchesOf(tx, before.id) : []
  const outset = { device: spoken.device, standing: standingOf(before, arrival), watches, mode: before.mode, battery: message.battery }
  const taken = takeFixes(world.positions, fixes, { ...outset, battery: message.battery === undefined ? null : spoken.device.battery })
  const hasMoved = taken.device.positionAt !== before.positionAt
  const device = hasMoved ? { ...taken.device, address: addressOf(world, taken.device) } : taken.device
  await saveSeen(tx, device)
  await keepWatches(tx, device.id, taken.watches)

  const events: LiveEvent[] = []
  const status = { tracker_status: presentStatus(device, now) }
  if (spoken.isNetworkLost || spoken.isModeApplied) {
    const config = { tracker_config: presentConfig(device, await findPace(tx, device), now) }
    if (spoken.isNetworkLost) events.push(await keepEvent(tx, { device, type: 'network', body: config, at: now }))
    if (spoken.isModeApplied) events.push(await keepEvent(tx, { device, type: 'mode', body: config, at: now }))
  }
  for (const firing of taken.firings) events.push(await tell(tx, device, firing, now))
  if (spoken.isBatteryLow)
    events.push(
      await keepEvent(tx, { device, type: 'alert', body: { type: 'low_battery', place: null, datetime: now.toISOString() }, at: now }),
    )
  events.push(await keepEvent(tx, { device, type: hasMoved ? 'position' : 'status', body: status, at: now }))
  return { accepted: taken.accepted, ignored: message.positions.length - taken.accepted, events }
}

const addressOf = ({ geocode }: Pick<World, 'geocode'>, { lat, lng }: DeviceRow) =>
  lat === null || lng === null ? null : (geocode.nearest({ lat: fromFixed7(lat), lng: fromFixed7(lng) })?.label ?? null)
