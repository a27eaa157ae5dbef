import type { LiveBody, LiveType } from '#contracts/live.ts'
import type { Message, Receipt } from '#contracts/positions.ts'
import { addressOf } from '#db/addresses.ts'
import type { Tx } from '#db/db.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { loadWatches, publishAlert, publishLowBattery, saveWatches } from '#server/alerts/tracker-alerts.ts'
import type { Firing } from '#server/alerts/watch.ts'
import { presentStatus } from '#server/devices/devices.present.ts'
import { loadConfig } from '#server/devices/get-device.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { World } from '#server/ports/world.ts'
import { applyUplink, type UplinkEffect } from './apply-uplink.ts'
import { currentStanding } from './motion.ts'
import { findPoint, saveSeen } from './positions.store.ts'
import { fixesOf, takeFixes } from './take-fixes.ts'

export type Outcome = { receipt: Receipt; events: LiveEvent[] }

type Ports = Pick<World, 'clock' | 'positions' | 'geocode'>

/** Processes an uplink within a transaction; returns the live events to publish after the commit. */
export async function takeMessage(tx: Tx, ports: Ports, before: DeviceRow, message: Message): Promise<Outcome> {
  const now = ports.clock.now()
  const { nearest } = ports.geocode
  const effect = applyUplink(before, message.battery, now)
  const { fixes, refused } = fixesOf(message, now)
  const arrival = fixes.length > 0 && before.stationarySince ? await findPoint(tx, before.id, before.stationarySince) : null
  const result = takeFixes(fixes, {
    device: effect.device,
    standing: currentStanding(before, arrival),
    watches: fixes.length > 0 ? await loadWatches(tx, before) : [],
    mode: before.mode,
    battery: message.battery === undefined ? null : effect.device.battery,
  })
  const accepted = await ports.positions.add(tx, before.id, result.rows)
  const hasMoved = result.device.positionAt !== before.positionAt
  const device = hasMoved ? { ...result.device, address: addressOf(nearest, pointOf(result.device)) } : result.device
  await saveSeen(tx, device)
  await saveWatches(tx, device.id, result.watches)
  const firings = result.firings.map((firing) => ({ firing, address: addressOf(nearest, firing.fix) }))
  const events = await appendEvents(tx, { device, effect, firings, hasMoved, now })
  const receipt = { accepted, ignored: fixes.length - accepted, ...(refused.length > 0 && { refused }) }
  return { receipt, events }
}

type MessageOutcome = {
  device: DeviceRow
  effect: UplinkEffect
  firings: { firing: Firing; address: string | null }[]
  hasMoved: boolean
  now: Date
}

async function appendEvents(tx: Tx, { device, effect, firings, hasMoved, now }: MessageOutcome) {
  const events: LiveEvent[] = []
  const append = async <T extends LiveType>(type: T, body: Omit<LiveBody<T>, 'device'>) =>
    events.push(await appendLiveEvent(tx, { device, type, body, at: now }))
  if (effect.isNetworkLost || effect.isModeApplied) {
    const config = { tracker_config: await loadConfig(tx, device, now) }
    if (effect.isNetworkLost) await append('network', config)
    if (effect.isModeApplied) await append('mode', config)
  }
  for (const { firing, address } of firings) events.push(await publishAlert(tx, { device, firing, address, now }))
  if (effect.isBatteryLow) events.push(await publishLowBattery(tx, device, now))
  await append(hasMoved ? 'position' : 'status', { tracker_status: presentStatus(device, now) })
  return events
}

const pointOf = ({ lat, lng }: DeviceRow) => ({ lat: fromFixed7(lat ?? 0), lng: fromFixed7(lng ?? 0) })
