import type { LiveBody, LiveType } from '#contracts/live.ts'
import type { Message, Receipt } from '#contracts/positions.ts'
import { POSITION_MARKS, type Reason } from '#contracts/rules/history/filter.ts'
import { correctRollover } from '#contracts/rules/reading/time.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { isBatteryLow } from '#contracts/rules/tracking/alert.ts'
import { fixFault } from '#contracts/rules/tracking/fix.ts'
import { currentNetworkState, EVENT_TYPES, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import { BATTERY_RANGE } from '#contracts/rules/tracking/tracker.ts'
import { addressOf } from '#db/addresses.ts'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { publishAlert, publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { type Firing, loadWatches, saveWatches } from '#server/alerts/tracker-alerts.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { World } from '#server/ports/world.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { findRestStart, nextBeforeRest } from '#server/trackers/records/service.ts'
import { addLatePeriods } from '#server/tracking/history/late-periods.store.ts'
import { findPoint, saveSeen } from '#server/tracking/history/positions.store.ts'
import { countRefusedFixes } from './refused-fixes.store.ts'
import { fixesOf, takeFixes } from './take-fixes.ts'
import { createState, describes, parseState, serializeState, type TrackingState } from './tracking-state.ts'

/** `leftOut`: why new positions do not count for their day. */
export type Outcome = { receipt: Receipt; leftOut: Reason[] }

export type DeviceMessage = Message & {
  /** Instants at which the button was pressed, wherever that was; without it, those of the positions with this event. */
  presses?: readonly string[] | undefined
  /** Positions rejected because they are no fix. */
  withoutFix?: number | undefined
  /** The message was sent with a key of the owner, so old positions are rejected; gateways of the operator may replay them. */
  isOwn?: boolean | undefined
}

type Ports = Pick<World, 'clock' | 'positions' | 'geocode' | 'graceDays'>

/** Processes an uplink within a transaction. That of a resting tracker changes the same rows, but nobody is notified. */
export async function takeMessage(tx: Tx, ports: Ports, before: DeviceRow, message: DeviceMessage): Promise<Outcome> {
  const now = ports.clock.now()
  const { nearest } = ports.geocode
  const isResting = findRestStart(before, now, ports.graceDays) !== null
  const effect = applyUplink(before, message.battery, now)
  const { fixes, refused } = fixesOf(message, now)
  const claims = listPresses(message)
  const tracking = await loadState(tx, ports, before, fixes.length > 0 || claims.length > 0)
  const presses = claims.filter((time) => !tracking.presses?.includes(time))
  if (presses.length > 0) tracking.presses = [...(tracking.presses ?? []), ...presses].slice(-REMEMBERED_PRESSES)
  const result = takeFixes(fixes, {
    device: effect.device,
    tracking,
    watches: fixes.length > 0 ? await loadWatches(tx, before) : [],
    mode: before.mode,
    battery: message.battery === undefined ? null : effect.device.battery,
    now,
    isQuiet: isResting,
  })
  const accepted = await saveFixes(tx, ports, before.id, result, now)
  if (presses.length > 0) await savePresses(tx, ports, before.id, [...presses, ...listButtonFixes(message)], result)
  const leftFixes = [
    ...refused,
    ...Array.from({ length: message.withoutFix ?? 0 }, () => ({ reason: 'no_fix' as const, time: now.getTime() })),
  ]
  if (leftFixes.length > 0) await countRefusedFixes(tx, before.id, leftFixes, now)
  const hasMoved = result.device.positionAt !== before.positionAt
  const pressed = presses.reduce((device, time) => applyPress(device, time, now), result.device)
  const device = {
    ...pressed,
    ...(hasMoved && { address: addressOf(nearest, pointOf(pressed)) }),
    beforeRest: nextBeforeRest(before, isResting),
  }
  await saveSeen(tx, device)
  await saveWatches(tx, device.id, result.watches)
  if (isResting) touch(tx, device)
  else await publishEvents(tx, ports, { device, effect, firings: result.firings, hasMoved, now })
  const receipt = {
    accepted,
    ignored: fixes.length - accepted,
    ...(refused.length > 0 && { refused: refused.map(({ index, reason }) => ({ index, reason })) }),
  }
  const leftOut = result.rows.flatMap(({ mark }) => listReasons(mark))
  return { receipt, leftOut }
}

async function loadState(tx: Tx, { positions }: Ports, device: DeviceRow, hasFixes: boolean) {
  if (!hasFixes) return createState(device, null)
  const saved = parseState(await positions.loadState(tx, device.id))
  if (saved && describes(saved, device)) return saved
  const arrival = device.stationarySince ? await findPoint(tx, device.id, device.stationarySince) : null
  const { filter, pace, presses } = saved ?? {}
  return { ...createState(device, arrival), ...(filter && pace && { filter, pace, presses }) }
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
  // Fixes newer than the newest one are always new, so any others are late ones that were not stored.
  if (accepted > rows.length - late.length) await addLatePeriods(tx, deviceId, late, now)
  if (late.length < rows.length) await positions.saveState(tx, deviceId, serializeState(tracking))
  return accepted
}

type MessageOutcome = {
  device: DeviceRow
  effect: UplinkEffect
  firings: Firing[]
  hasMoved: boolean
  now: Date
}

async function publishEvents(tx: Tx, { geocode }: Ports, { device, effect, firings, hasMoved, now }: MessageOutcome) {
  const append = <T extends LiveType>(type: T, body: Omit<LiveBody<T>, 'device'>) => appendLiveEvent(tx, { device, type, body, at: now })
  if (effect.isNetworkLost || effect.isModeApplied) {
    const config = { tracker_config: await loadConfig(tx, device, now) }
    if (effect.isNetworkLost) await append('network', config)
    if (effect.isModeApplied) await append('mode', config)
  }
  for (const { alertIds, ...firing } of firings) {
    const occurrence = { ...firing, device, at: new Date(firing.fix.datetime), address: addressOf(geocode.nearest, firing.fix) }
    await publishAlert(tx, occurrence, alertIds, now)
  }
  if (effect.isBatteryLow) await publishLowBattery(tx, device, now)
  await append(hasMoved ? 'position' : 'status', { tracker_status: presentStatus(device, now) })
}

/** The number of presses remembered for each tracker, so that one repeated by its sender fires once. */
const REMEMBERED_PRESSES = 8

const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)

const listButtonFixes = ({ positions }: Message) =>
  positions.flatMap(({ event, datetime }) => (event === 'button' ? [secondOf(datetime)] : []))

/** Seconds since 1970 at which the button was pressed according to the message, each once and oldest first. */
function listPresses(message: DeviceMessage) {
  const seconds = message.presses?.map(secondOf) ?? listButtonFixes(message)
  return seconds.length < 2 ? seconds : [...new Set(seconds)].sort((a, b) => a - b)
}

/** Saves presses in the state, and shows them in the history at the fixes of their seconds, even if those were already stored. */
async function savePresses(tx: Tx, { positions }: Ports, deviceId: number, seconds: number[], { tracking }: { tracking: TrackingState }) {
  for (const second of new Set(seconds)) await positions.setEvent(tx, deviceId, second, EVENT_TYPES.indexOf('button'))
  await positions.saveState(tx, deviceId, serializeState(tracking))
}

/** A press older than this does not replace a newer event. */
const PRESS_MAX_AGE_MS = 2 * DAY_MS

/**
 * Makes a new press (Unix seconds) the last event, unless there is a newer press: events of newer positions do not hide it. A press at an
 * implausible time counts as pressed now.
 */
function applyPress(device: DeviceRow, second: number, now: Date): DeviceRow {
  const claimed = correctRollover(second * 1000, now.getTime())
  const at = fixFault(claimed, now) ? now : new Date(claimed)
  const { lastEvent, lastEventAt } = device
  const isHidden = lastEventAt !== null && lastEventAt > at && (lastEvent === 'button' || now.getTime() - at.getTime() > PRESS_MAX_AGE_MS)
  return isHidden ? device : { ...device, lastEvent: 'button', lastEventAt: at }
}

const listReasons = (mark: number | null): Reason[] => {
  const name = mark === null ? undefined : POSITION_MARKS[mark]
  return name === undefined || name === 'kept' ? [] : [name]
}

const pointOf = ({ lat, lng }: DeviceRow) => ({ lat: fromFixed7(lat ?? 0), lng: fromFixed7(lng ?? 0) })

/** Trackers report at least daily; after two days of silence `onlineSince` starts over. */
const ONLINE_GAP_MS = 2 * DAY_MS

export type UplinkEffect = ReturnType<typeof applyUplink>

/** Applies the effects of every uplink, whatever it contains: pending mode, battery and network state. */
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
