import type { Message, Receipt } from '#contracts/positions.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import type { Reason } from '#contracts/rules/history/filter.ts'
import { isStationary } from '#contracts/rules/history/motion.ts'
import { correctRollover } from '#contracts/rules/reading/time.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { fixFault } from '#contracts/rules/tracking/fix.ts'
import { followTracker, type Judgement } from '#contracts/rules/tracking/follow.ts'
import { EVENT_TYPES, type EventType } from '#contracts/rules/tracking/reporting.ts'
import type { Reporter } from '#contracts/rules/tracking/rules/silence.ts'
import { fromFixed7, markNumber, type PositionRow, toFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Firing, Watch } from '#server/alerts/rules/watch.ts'
import { applyFix, lastFix } from '#server/alerts/tracker-alerts.ts'
import { REPORTS } from './report-limit.ts'
import type { TrackingState } from './tracking-state.ts'

type SentFix = Message['positions'][number]
/** `time`: Unix seconds. Copying the fix to include its time would take longer than judging it. */
type TimedFix = { time: number; sent: SentFix }
/** `time`: milliseconds since 1970. */
type Refused = (NonNullable<Receipt['refused']>[number] & { time: number })[]

/** Splits positions into fixes in order of time (Unix seconds) and those rejected for an implausible time. */
export function fixesOf({ positions, isOwn }: Pick<Message, 'positions'> & { isOwn?: boolean | undefined }, now: Date) {
  const fixes: TimedFix[] = []
  const refused: Refused = []
  const maxAgeDays = isOwn ? REPORTS.maxAgeDays : undefined
  for (let index = 0; index < positions.length; index++) {
    const sent = positions[index]!
    let time = Math.floor(Date.parse(sent.datetime) / 1000)
    let reason = fixFault(time * 1000, now, maxAgeDays)
    if (reason === 'too_old') {
      time = correctRollover(time * 1000, now.getTime()) / 1000
      reason = fixFault(time * 1000, now, maxAgeDays)
    }
    if (reason) refused.push({ index, reason, time: time * 1000 })
    else fixes.push({ time, sent })
  }
  return { fixes: fixes.sort((a, b) => a.time - b.time), refused }
}

/** A new mark for the stored fixes of a period, in seconds. */
type Revision = { first: number; last: number; mark: number | null }

type StartState = {
  device: DeviceRow
  tracking: TrackingState
  watches: Watch[]
  mode: number
  /** The intervals of a configurable tracker, if a rule depends on them. */
  pace?: Reporter['pace']
  battery: number | null
  now: Date
  /** Whether no alert fires. */
  isQuiet?: boolean
}

/** `rows` are all rows to store, `late` the seconds of those older than the newest fix, `revisions` those of earlier messages. */
type FixResult = Pick<StartState, 'device' | 'tracking' | 'watches'> & {
  firings: Firing[]
  rows: PositionRow[]
  late: number[]
  revisions: Revision[]
}

/**
 * Judges the fixes newer than the newest one, and applies the valid ones: position, motion and alerts. Marked and older ones are stored as
 * rows without any effect. `mode` is the one in which the tracker made these fixes. Changes `tracking`.
 */
export function takeFixes(
  fixes: TimedFix[],
  { device, tracking, watches, mode, pace = null, battery, now, isQuiet = false }: StartState,
): FixResult {
  // A row of many columns: copied once, then changed by each fix.
  const result: FixResult = { device: { ...device }, tracking, watches, firings: [], rows: [], late: [], revisions: [] }
  const last = fixes.at(-1)
  for (const fix of fixes) {
    const { time, sent } = fix
    const { speed, course, altitude } = sent
    const row: PositionRow = {
      time,
      lat: toFixed7(sent.lat),
      lng: toFixed7(sent.lng),
      precision: sent.precision,
      event: null,
      battery: fix === last ? battery : null,
      speed: speed === undefined ? null : Math.round(speed * 10),
      course: course === undefined ? null : Math.round(course) % 360,
      altitude: altitude === undefined ? null : Math.round(altitude),
      mark: null,
    }
    const event = isNewest(result, time) ? takeNewest(result, fix, row, { mode, pace, now, isQuiet }) : takeLate(result, fix)
    row.event = event === null ? null : EVENT_TYPES.indexOf(event)
    result.rows.push(row)
  }
  return result
}

const isNewest = ({ device, tracking }: FixResult, time: number) =>
  time * 1000 > Math.max(device.positionAt?.getTime() ?? Number.NEGATIVE_INFINITY, tracking.pace.seenAt ?? Number.NEGATIVE_INFINITY)

function takeLate({ late }: FixResult, { time, sent }: TimedFix) {
  late.push(time)
  return sent.event ?? null
}

type Circumstances = { mode: number; pace: Reporter['pace']; now: Date; isQuiet: boolean }

function takeNewest(result: FixResult, fix: TimedFix, row: PositionRow, { mode, pace, now, isQuiet }: Circumstances): EventType | null {
  const { precision, event = null } = fix.sent
  // As it is stored, so that an alert tried on stored positions sees the same.
  const point = { lat: fromFixed7(row.lat), lng: fromFixed7(row.lng), precision, datetime: fix.time * 1000 }
  const { judgements, isBelieved, ...followed } = followTracker(result.tracking, point)
  markRows(result, judgements, row)
  const isAlerting = !isQuiet && now.getTime() - point.datetime < ALERT_MAX_AGE_MS
  if (isBelieved) return followFix(result, event, row, point, { ...followed, mode, pace, isAlerting })
  if (event && event !== 'position') setLastEvent(result.device, event, new Date(point.datetime))
  return event
}

/** An alert about an event older than this is not sent. */
const ALERT_MAX_AGE_MS = 2 * DAY_MS

/** Marks a fix, and revises the marks of those before it. */
function markRows({ rows, revisions }: FixResult, judgements: readonly Judgement[], row: PositionRow) {
  const earliest = rows[0]?.time ?? row.time
  for (const { first, last, reason } of judgements) {
    const mark = reason === null ? null : markNumber(reason)
    if (first < earliest) revisions.push({ first, last: Math.min(last, earliest - 1), mark })
    for (let index = rows.length - 1; index >= 0 && rows[index]!.time >= first; index--)
      if (rows[index]!.time <= last && !isFinal(rows[index]!.mark)) rows[index]!.mark = mark
    if (first <= row.time && row.time <= last) row.mark = mark
  }
}

const FINAL = (['zero', 'vague'] satisfies Reason[]).map(markNumber)
const isFinal = (mark: number | null) => mark !== null && FINAL.includes(mark)

type Following = Pick<ReturnType<typeof followTracker>, 'step' | 'hasStarted' | 'restBefore'> & {
  mode: number
  pace: Reporter['pace']
  isAlerting: boolean
}

/** Firings that a position shows as its event. */
const EVENTS = ['place_enter', 'place_leave', 'vehicle_alert'] as const satisfies readonly EventType[]

/** Moves a tracker to a valid fix, with the event that the tracker `sent`; returns the event of the fix. */
function followFix(
  result: FixResult,
  sent: EventType | null,
  row: PositionRow,
  point: Fix,
  { mode, pace, step, hasStarted, restBefore, isAlerting }: Following,
): EventType | null {
  const { device, tracking } = result
  const at = new Date(point.datetime)
  const since = tracking.dwell?.since ?? null
  const hasStopped = !isStationary(restBefore, device.positionAt?.getTime() ?? 0) && isStationary(since, point.datetime)
  const motion = hasStarted ? 'moving' : hasStopped ? 'stationary' : null
  const sentSpeed = row.speed === null ? null : row.speed / 10
  const { type, boardName } = device
  const reporter = { type, boardName, mode, pace, lastMessageAt: point.datetime, stationarySince: since }
  const { watches, firings } = applyFix(result.watches, point, { hasStarted, mode, step, before: lastFix(device), sentSpeed, reporter })
  const fired = isAlerting ? firings : []
  const reported = sent === 'position' ? null : sent
  const events = fired.flatMap(({ kind }) => EVENTS.find((event) => event === kind) ?? [])
  const event = events.find((kind) => kind === 'vehicle_alert') ?? events[0] ?? reported ?? motion
  device.lat = row.lat
  device.lng = row.lng
  device.precision = row.precision
  device.course = row.course
  device.positionAt = at
  device.stationarySince = since === null ? null : new Date(since)
  setLastEvent(device, event ?? 'position', at)
  result.watches = watches
  result.firings.push(...fired)
  return event ?? sent
}

/** A plain position never replaces an event, and an older event never a newer one. */
function setLastEvent(device: DeviceRow, event: EventType, at: Date) {
  const isCovered = event === 'position' && device.lastEvent !== null && device.lastEvent !== 'position'
  if (isCovered || (device.lastEventAt !== null && device.lastEventAt > at)) return
  device.lastEvent = event
  device.lastEventAt = at
}
