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
import { nameTrackers, publishAlert, publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { advanceWatches, followRules } from '#server/alerts/rules/follow-message.ts'
import type { Firing } from '#server/alerts/rules/watch.ts'
import { toFollowed } from '#server/alerts/tracker-alerts.ts'
import type { World } from '#server/ports/world.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { findRestStart, nextBeforeRest } from '#server/trackers/records/service.ts'
import { collectWrites, type GroupWrites, loadTracker, stateOf, type Tracker, watchesOf } from './group-writes.ts'
import { countRefusedFixes } from './refused-fixes.store.ts'
import { fixesOf, takeFixes } from './take-fixes.ts'
import { createState, describes } from './tracking-state.ts'

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

/** Processes an uplink within a transaction. */
export async function takeMessage(tx: Tx, ports: Ports, before: DeviceRow, message: DeviceMessage): Promise<Outcome> {
  const tracker = await loadTracker(tx, before)
  const writes = collectWrites(tx, ports.positions)
  const outcome = await followMessage(tx, ports, { tracker, writes }, message)
  await writes.write()
  return outcome
}

type Following = { tracker: Tracker; writes: GroupWrites }

/**
 * Judges an uplink, changes its tracker in memory and collects what is to be written. The number of accepted positions in the receipt is
 * known once it is. The uplink of a resting tracker changes the same rows, but sends no notification.
 */
export async function followMessage(tx: Tx, ports: Ports, { tracker, writes }: Following, message: DeviceMessage): Promise<Outcome> {
  const now = ports.clock.now()
  const { nearest } = ports.geocode
  const before = tracker.device
  const isResting = findRestStart(before, now, ports.graceDays) !== null
  const effect = applyUplink(before, message.battery, now)
  const { fixes, refused } = fixesOf(message, now)
  const claims = listPresses(message)
  const tracking = await findState(tx, ports, { tracker, writes }, fixes.length > 0 || claims.length > 0)
  const presses = claims.filter((time) => !tracking.presses?.includes(time))
  if (presses.length > 0) tracking.presses = [...(tracking.presses ?? []), ...presses].slice(-REMEMBERED_PRESSES)
  const { watches, pace } = await watchesOf(tx, tracker, writes)
  const overdue = advanceWatches(watches, toFollowed(before, pace), now.getTime())
  const result = takeFixes(fixes, {
    device: effect.device,
    tracking,
    watches: overdue.watches,
    mode: before.mode,
    pace,
    battery: message.battery === undefined ? null : effect.device.battery,
    now,
    isQuiet: isResting,
  })
  const receipt: Receipt = {
    accepted: 0,
    ignored: fixes.length,
    ...(refused.length > 0 && { refused: refused.map(({ index, reason }) => ({ index, reason })) }),
  }
  saveFixes({ tracker, writes }, result, receipt, now)
  if (presses.length > 0) writes.saveState(tracker, result.tracking)
  if (result.revisions.length > 0 || presses.length > 0) {
    // They change positions, so those of this and of earlier messages are written first.
    await writes.write()
    for (const { first, last, mark } of result.revisions) await ports.positions.judge(tx, before.id, first, last, mark)
    if (presses.length > 0) await showPresses(tx, ports, before.id, [...presses, ...listButtonFixes(message)])
  }
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
  const ruled = followRules(result.watches, {
    before: toFollowed(before, pace),
    after: toFollowed(device, pace),
    now: now.getTime(),
    battery: message.battery === undefined ? null : device.battery,
    pressedAt: findNewestPress(presses, now),
  })
  const firings = [...overdue.firings, ...result.firings, ...ruled.firings]
  writes.saveWatches(tracker, ruled.watches)
  tracker.device = device
  writes.saveTracker(tracker)
  if (isResting) touch(tx, device)
  else await publishEvents(tx, ports, writes, { device, effect, firings, hasMoved, now })
  const leftOut = result.rows.flatMap(({ mark }) => listReasons(mark))
  return { receipt, leftOut }
}

async function findState(tx: Tx, { positions }: Ports, { tracker, writes }: Following, hasFixes: boolean) {
  const { device } = tracker
  if (!hasFixes) return createState(device, null)
  const known = stateOf(tracker)
  if (known && describes(known, device)) return known
  await writes.write()
  const saved = stateOf(tracker)
  const second = Math.floor((device.stationarySince?.getTime() ?? 0) / 1000)
  const [arrival = null] = device.stationarySince ? await positions.rangeInTx(tx, device.id, second, second, 1) : []
  const { filter, pace, presses } = saved ?? {}
  return { ...createState(device, arrival), ...(filter && pace && { filter, pace, presses }) }
}

function saveFixes({ tracker, writes }: Following, { rows, late, tracking }: ReturnType<typeof takeFixes>, receipt: Receipt, now: Date) {
  if (rows.length === 0) return
  const onSaved = (accepted: number) => {
    receipt.accepted = accepted
    receipt.ignored = rows.length - accepted
  }
  writes.addFixes({ deviceId: tracker.device.id, rows, late, now, onSaved })
  if (late.length < rows.length) writes.saveState(tracker, tracking)
}

type MessageOutcome = {
  device: DeviceRow
  effect: UplinkEffect
  firings: Firing[]
  hasMoved: boolean
  now: Date
}

async function publishEvents(tx: Tx, { geocode }: Ports, writes: GroupWrites, { device, effect, firings, hasMoved, now }: MessageOutcome) {
  const append = <T extends LiveType>(type: T, body: Omit<LiveBody<T>, 'device'>) => writes.appendEvent({ device, type, body, at: now })
  if (effect.isNetworkLost || effect.isModeApplied) {
    const config = { tracker_config: await loadConfig(tx, device, now) }
    if (effect.isNetworkLost) append('network', config)
    if (effect.isModeApplied) append('mode', config)
  }
  // Alerts read and write in the order of the messages.
  if (effect.isBatteryLow || firings.length > 0) await writes.write()
  for (const { alertIds, at, fix, ...firing } of firings) {
    const named = await nameTrackers(tx, device, firing.pair)
    const occurrence = { ...firing, ...named, at: new Date(at), fix, address: fix && addressOf(geocode.nearest, fix) }
    await publishAlert(tx, occurrence, alertIds, now)
  }
  if (effect.isBatteryLow) await publishLowBattery(tx, device, now)
  append(hasMoved ? 'position' : 'status', { tracker_status: presentStatus(device, now) })
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

/** Shows presses in the history at the fixes of their seconds, even if those were already stored. */
async function showPresses(tx: Tx, { positions }: Ports, deviceId: number, seconds: number[]) {
  for (const second of new Set(seconds)) await positions.setEvent(tx, deviceId, second, EVENT_TYPES.indexOf('button'))
}

/** A press older than this does not replace a newer event. */
const PRESS_MAX_AGE_MS = 2 * DAY_MS

/**
 * Makes a new press (Unix seconds) the last event, unless there is a newer press: events of newer positions do not hide it. A press at an
 * implausible time counts as pressed now.
 */
function applyPress(device: DeviceRow, second: number, now: Date): DeviceRow {
  const at = timePress(second, now)
  const { lastEvent, lastEventAt } = device
  const isHidden = lastEventAt !== null && lastEventAt > at && (lastEvent === 'button' || now.getTime() - at.getTime() > PRESS_MAX_AGE_MS)
  return isHidden ? device : { ...device, lastEvent: 'button', lastEventAt: at }
}

function timePress(second: number, now: Date) {
  const claimed = correctRollover(second * 1000, now.getTime())
  return fixFault(claimed, now) ? now : new Date(claimed)
}

/** When the newest of new presses was (ms), unless it is too old for an alert. */
function findNewestPress(presses: readonly number[], now: Date) {
  const newest = Math.max(...presses.map((second) => timePress(second, now).getTime()))
  return now.getTime() - newest <= PRESS_MAX_AGE_MS ? newest : null
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
