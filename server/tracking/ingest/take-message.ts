import { BATTERY_RANGE, POSITION_MARKS } from '#contracts/lib/constants.ts'
import type { LiveBody, LiveType } from '#contracts/live.ts'
import type { Message, Receipt } from '#contracts/positions.ts'
import type { Reason } from '#contracts/rules/history/filter.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { isBatteryLow } from '#contracts/rules/tracking/alert.ts'
import { currentNetworkState, fixFault, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import { addressOf } from '#db/addresses.ts'
import type { Tx } from '#db/db.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { type Firing, loadWatches, publishAlert, publishLowBattery, saveWatches } from '#server/alerts/tracker-alerts.ts'
import { loadConfig } from '#server/devices/device.ts'
import { presentStatus } from '#server/devices/devices.present.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { World } from '#server/ports/world.ts'
import { addLatePeriods } from '#server/tracking/history/late-periods.store.ts'
import { findPoint, saveSeen } from '#server/tracking/history/positions.store.ts'
import { countRefusedFixes } from './refused-fixes.store.ts'
import { fixesOf, setLastEvent, takeFixes } from './take-fixes.ts'
import { createState, describes, parseState, serializeState } from './tracking-state.ts'

/** `leftOut`: why new positions do not count for their day. */
export type Outcome = { receipt: Receipt; events: LiveEvent[]; leftOut: Reason[] }

/**
 * `pressedAt` (instant): when the button of a tracker was pressed that does not know where it is. `isOwn`: sent with a key of the owner, so
 * that old positions are refused; gateways of the operator may replay them.
 */
export type DeviceMessage = Message & { pressedAt?: string | undefined; isOwn?: boolean | undefined }

type Ports = Pick<World, 'clock' | 'positions' | 'geocode'>

/** Processes an uplink within a transaction; returns the live events to publish after the commit. */
export async function takeMessage(tx: Tx, ports: Ports, before: DeviceRow, message: DeviceMessage): Promise<Outcome> {
  const now = ports.clock.now()
  const { nearest } = ports.geocode
  const effect = applyPress(applyUplink(before, message.battery, now), message.pressedAt, now)
  const { fixes, refused } = fixesOf(message, now)
  const result = takeFixes(fixes, {
    device: effect.device,
    tracking: await loadState(tx, ports, before, fixes.length > 0),
    watches: fixes.length > 0 ? await loadWatches(tx, before) : [],
    mode: before.mode,
    battery: message.battery === undefined ? null : effect.device.battery,
    now,
  })
  const accepted = await saveFixes(tx, ports, before.id, result, now)
  if (refused.length > 0) await countRefusedFixes(tx, before.id, refused, now)
  const hasMoved = result.device.positionAt !== before.positionAt
  const device = hasMoved ? { ...result.device, address: addressOf(nearest, pointOf(result.device)) } : result.device
  await saveSeen(tx, device)
  await saveWatches(tx, device.id, result.watches)
  const firings = result.firings.map((firing) => ({ firing, address: addressOf(nearest, firing.fix) }))
  const events = await appendEvents(tx, { device, effect, firings, hasMoved, now })
  const receipt = {
    accepted,
    ignored: fixes.length - accepted,
    ...(refused.length > 0 && { refused: refused.map(({ index, reason }) => ({ index, reason })) }),
  }
  const leftOut = result.rows.flatMap(({ mark }) => listReasons(mark))
  return { receipt, events, leftOut }
}

async function loadState(tx: Tx, { positions }: Ports, device: DeviceRow, hasFixes: boolean) {
  if (!hasFixes) return createState(device, null)
  const saved = parseState(await positions.loadState(tx, device.id))
  if (saved && describes(saved, device)) return saved
  const arrival = device.stationarySince ? await findPoint(tx, device.id, device.stationarySince) : null
  return { ...createState(device, arrival), ...(saved && { filter: saved.filter, pace: saved.pace }) }
}

/** Saves the fixes, the revised marks of earlier ones, and the state. Returns how many fixes were new. */
async function saveFixes(
  tx: Tx,
  { positions }: Ports,
  deviceId: number,
  { rows, late, revisions, tracking }: ReturnType<typeof takeFixes>,
  now: Date,
) {
  if (rows.length === 0) return 0
  const accepted = await positions.add(tx, deviceId, rows)
  for (const { first, last, mark } of revisions) await positions.judge(tx, deviceId, first, last, mark)
  // Fixes that are newer than the newest one are always new, so any more are late ones that were not known.
  if (accepted > rows.length - late.length) await addLatePeriods(tx, deviceId, late, now)
  if (late.length < rows.length) await positions.saveState(tx, deviceId, serializeState(tracking))
  return accepted
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

/** A button that was pressed at an implausible time counts as pressed now. */
function applyPress(effect: UplinkEffect, pressedAt: string | undefined, now: Date): UplinkEffect {
  if (pressedAt === undefined) return effect
  const at = fixFault(Date.parse(pressedAt), now) ? now : new Date(pressedAt)
  const device = { ...effect.device }
  setLastEvent(device, 'button', at)
  return { ...effect, device }
}

const listReasons = (mark: number | null): Reason[] => {
  const name = mark === null ? undefined : POSITION_MARKS[mark]
  return name === undefined || name === 'kept' ? [] : [name]
}

const pointOf = ({ lat, lng }: DeviceRow) => ({ lat: fromFixed7(lat ?? 0), lng: fromFixed7(lng ?? 0) })

/** Trackers report at least daily; after two days of silence `onlineSince` starts over. */
const ONLINE_GAP_MS = 2 * DAY_MS

export type UplinkEffect = ReturnType<typeof applyUplink>

/** Applies what every uplink implies, whatever it contains: pending mode, battery and network state. */
export function applyUplink(device: DeviceRow, battery: Message['battery'], now: Date) {
  const isAnew = device.lastMessageAt === null || now.getTime() - device.lastMessageAt.getTime() > ONLINE_GAP_MS
  const networkState = currentNetworkState(silenceStart(device), device.networkState, now)
  const level = battery === undefined ? device.battery : batteryLevel(battery)
  const isModeApplied = device.pendingMode !== null && !device.takesDownlinks
  const isLow = (battery: number | null) => isBatteryLow(device.type, battery, device.lowBattery)
  const isBatteryNowLow = isLow(level) && !isLow(device.battery)
  const event = isBatteryNowLow ? ('low_battery' as const) : isModeApplied ? ('mode_applied' as const) : null
  const after: DeviceRow = {
    ...device,
    ...(isModeApplied && { mode: device.pendingMode ?? device.mode, pendingMode: null }),
    battery: level,
    networkState,
    lastMessageAt: later(device.lastMessageAt, now),
    onlineSince: isAnew || device.onlineSince === null ? now : device.onlineSince,
    ...(event && { lastEvent: event, lastEventAt: now }),
  }
  return { device: after, isModeApplied, isBatteryLow: isBatteryNowLow, isNetworkLost: networkState !== device.networkState }
}

/** Rounded; any negative reading means unknown. */
const batteryLevel = (battery: number) => (battery < 0 ? BATTERY_RANGE.unknown : Math.round(battery))

const later = (a: Date | null, b: Date) => (a !== null && a > b ? a : b)
