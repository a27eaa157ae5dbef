import { computeService } from '#contracts/rules/service.ts'
import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import type { DeviceRow } from '#db/scope.ts'

type Subscribed = Pick<DeviceRow, 'type' | 'subState' | 'subEndDate' | 'createdAt' | 'graceFrom' | 'pausedFrom' | 'pausedUntil'>

/** The columns by which the service of a tracker is computed. */
export const toSubscribed = ({ type, subState, subEndDate, createdAt, graceFrom, pausedFrom, pausedUntil }: Subscribed) => ({
  type,
  sub_state: subState,
  sub_end_date: subEndDate,
  added_at: createdAt,
  grace_from: graceFrom,
  paused_from: pausedFrom,
  paused_until: pausedUntil,
})

/** Since when a tracker rests; null while it is in service or in grace. */
export function findRestStart(tracker: Subscribed, now: Date, graceDays: number | null): Date | null {
  const service = computeService(toSubscribed(tracker), now, graceDays)
  return service.state === 'resting' ? service.since : null
}

/** What a tracker shows of its last message. */
const STATE = [
  ...['battery', 'lat', 'lng', 'precision', 'course', 'positionAt', 'address'],
  ...['lastEvent', 'lastEventAt', 'stationarySince', 'onlineSince'],
] as (keyof DeviceRow)[]
const INSTANTS: readonly string[] = ['positionAt', 'lastEventAt', 'stationarySince', 'onlineSince'] satisfies (keyof DeviceRow)[]

/** The end of the subscription or the pause after which a saved state was hidden, so that the next one makes the state invalid. */
const endOf = ({ pausedFrom, subEndDate }: Pick<DeviceRow, 'pausedFrom' | 'subEndDate'>) => (pausedFrom ?? subEndDate)?.getTime() ?? null

/**
 * The `beforeRest` of a tracker whose message arrives: while it rests, the state before the first message since. All messages change the
 * row as usual, so that a renewal shows the newest state at once.
 */
export function nextBeforeRest(before: DeviceRow, isResting: boolean): string | null {
  if (!isResting) return null
  if (readState(before)) return before.beforeRest
  return JSON.stringify({ end: endOf(before), ...Object.fromEntries(STATE.map((name) => [name, before[name]])) })
}

/** The row with the state that may be shown: that of before the rest, for a tracker that has reported while resting. */
export function toShownDevice(device: DeviceRow, now: Date): DeviceRow {
  if (device.beforeRest === null) return device
  if (currentSubState(device.subState, device.subEndDate, now) === 'active' && !isPaused(device, now)) return device
  const state = readState(device)
  return state ? { ...device, ...state } : device
}

/** The saved state if it belongs to the present rest. */
function readState(device: DeviceRow): Partial<DeviceRow> | null {
  if (device.beforeRest === null) return null
  const { end, ...state }: { end: number | null } & Record<string, unknown> = JSON.parse(device.beforeRest)
  if (end !== endOf(device)) return null
  const restore = ([name, value]: [string, unknown]) => [name, INSTANTS.includes(name) && value !== null ? new Date(String(value)) : value]
  return Object.fromEntries(Object.entries(state).map(restore))
}
