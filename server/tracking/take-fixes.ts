import { EVENT_TYPES, type EventType } from '#contracts/lib/constants.ts'
import type { Message, Receipt } from '#contracts/positions.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { hasStartedMoving } from '#contracts/rules/tracking/alert.ts'
import { computeMotion, nextStanding, type Standing } from '#contracts/rules/tracking/motion.ts'
import { fixFault } from '#contracts/rules/tracking/reporting.ts'
import { fromFixed7, type PositionRow, toFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { applyFix, type Firing, type Watch } from '#server/alerts/tracker-alerts.ts'

type FixResult = { device: DeviceRow; standing: Standing | null; watches: Watch[]; firings: Firing[]; rows: PositionRow[] }
type TimedFix = Message['positions'][number] & { time: number }
type Refused = NonNullable<Receipt['refused']>

/** Splits positions into fixes in order of time (Unix seconds) and those refused for an implausible time. */
export function fixesOf({ positions }: Message, now: Date) {
  const fixes: TimedFix[] = []
  const refused: Refused = []
  for (const [index, fix] of positions.entries()) {
    const time = Math.floor(Date.parse(fix.datetime) / 1000)
    const reason = fixFault(time * 1000, now)
    if (reason) refused.push({ index, reason })
    else fixes.push({ ...fix, time })
  }
  return { fixes: fixes.sort((a, b) => a.time - b.time), refused }
}

type StartState = { device: DeviceRow; standing: Standing | null; watches: Watch[]; mode: number; battery: number | null }

/**
 * Follows the fixes that are newer than the last one: position, motion and alerts. Older ones become rows and move nothing. Returns all
 * rows to store. `mode` is the one in which the tracker made these fixes.
 */
export function takeFixes(fixes: TimedFix[], { mode, battery, ...start }: StartState): FixResult {
  let state: FixResult = { ...start, firings: [], rows: [] }
  for (const fix of fixes) {
    const isLast = fix === fixes.at(-1)
    const { time, precision } = fix
    const seenAt = state.device.positionAt?.getTime() ?? null
    const row = {
      time,
      lat: toFixed7(fix.lat),
      lng: toFixed7(fix.lng),
      precision,
      battery: isLast ? battery : null,
      ...measuredBy(fix),
      mark: null,
    }
    const isNewer = seenAt === null || time * 1000 > seenAt
    const next = isNewer ? applyNewerFix(state, fix, mode) : { ...state, event: fix.event ?? null }
    const event = next.event === null ? null : EVENT_TYPES.indexOf(next.event)
    state = { ...next, rows: [...state.rows, { ...row, event }] }
  }
  return state
}

/** What the device measured itself, as it is stored. */
const measuredBy = ({ speed, course, altitude }: TimedFix) => ({
  speed: speed === undefined ? null : Math.round(speed * 10),
  course: course === undefined ? null : Math.round(course) % 360,
  altitude: altitude === undefined ? null : Math.round(altitude),
})

function applyNewerFix(state: FixResult, fix: TimedFix, mode: number): FixResult & { event: EventType | null } {
  const { device } = state
  const at = new Date(fix.time * 1000)
  const point = { lat: fix.lat, lng: fix.lng, precision: fix.precision, datetime: at.getTime() }
  const motion = advanceMotion(state.standing, point, device.positionAt?.getTime() ?? 0)
  const { watches, firings } = applyFix(state.watches, point, { hasStarted: motion.hasStarted, mode })
  const event = firings.find(({ type }) => type === 'vehicle_alert')?.type ?? firings[0]?.type ?? reportedEvent(fix) ?? motion.event
  const since = motion.standing.since
  const seen = {
    lat: toFixed7(fix.lat),
    lng: toFixed7(fix.lng),
    precision: fix.precision,
    positionAt: at,
    stationarySince: since === null ? null : new Date(since),
    ...lastEvent(device, event ?? 'position', at),
  }
  return {
    ...state,
    device: { ...device, ...seen },
    standing: motion.standing,
    watches,
    firings: [...state.firings, ...firings],
    event: event ?? fix.event ?? null,
  }
}

/** The event a tracker reports with a fix, other than a plain position. */
const reportedEvent = ({ event }: TimedFix) => (event === 'position' ? null : event)

/** A plain position never replaces an event, and an older event never a newer one. */
function lastEvent(device: DeviceRow, event: EventType, at: Date): Partial<DeviceRow> {
  const isCovered = event === 'position' && device.lastEvent !== null && device.lastEvent !== 'position'
  if (isCovered || (device.lastEventAt !== null && device.lastEventAt > at)) return {}
  return { lastEvent: event, lastEventAt: at }
}

type ScaledPoint = { lat: number; lng: number }

/** Where the tracker stands, or was last seen; `arrival` is the position of the first fix of the dwell. */
export function currentStanding({ lat, lng, positionAt, stationarySince }: DeviceRow, arrival: ScaledPoint | null): Standing | null {
  if (lat === null || lng === null || positionAt === null) return null
  const point = arrival ?? { lat, lng }
  const at = (stationarySince ?? positionAt).getTime()
  return { lat: fromFixed7(point.lat), lng: fromFixed7(point.lng), at, since: stationarySince?.getTime() ?? null }
}

/** Applies a newer fix to the motion; `seenAt` is the time (ms) of the fix before it. */
function advanceMotion(
  standing: Standing | null,
  fix: Fix,
  seenAt: number,
): { standing: Standing; hasStarted: boolean; event: EventType | null } {
  const next = nextStanding(standing, fix)
  const [before, after] = [dateOf(standing?.since), dateOf(next.since)]
  const at = new Date(fix.datetime)
  const hasStarted = hasStartedMoving(before, after, at)
  const wasStationary = computeMotion(before, new Date(seenAt)).state === 'stationary'
  const hasStopped = !wasStationary && computeMotion(after, at).state === 'stationary'
  return { standing: next, hasStarted, event: hasStarted ? 'moving' : hasStopped ? 'stationary' : null }
}

const dateOf = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms))
