import { LRUCache } from 'lru-cache'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { createFilter, type FilterState, judgeFix, type Reason } from '#contracts/rules/history/filter.ts'
import { type Dwell, type Pace, UNKNOWN_PACE } from '#contracts/rules/tracking/crossing.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'

/**
 * The state of earlier fixes that is needed to judge the next one. `dwell`: the place where the tracker rests, or was last seen; `presses`:
 * the last seconds since 1970 at which its button was pressed.
 */
export type TrackingState = { filter: FilterState; pace: Pace; dwell: Dwell | null; presses?: number[] | undefined }

/** Raised when the shape or the meaning of the state changes: a state of another version is dropped, and the tracker starts over. */
const VERSION = 2

/**
 * Cached parsed states by their text, because parsing takes longer than judging a fix. A state is removed when it is used, since judging
 * changes it: after a rollback the saved text is parsed again.
 */
const parsedStates = new LRUCache<string, TrackingState>({ max: 2_000 })

/** The text of a state, which must not be changed afterwards. */
export function serializeState(state: TrackingState) {
  const text = JSON.stringify({ version: VERSION, ...state })
  parsedStates.set(text, state)
  return text
}

/** The saved state; null when the tracker has no suitable one. */
export function parseState(saved: string | null): TrackingState | null {
  if (saved === null) return null
  const parsed = parsedStates.get(saved)
  if (parsed) {
    parsedStates.delete(saved)
    return parsed
  }
  const { version, ...state }: TrackingState & { version: number } = JSON.parse(saved)
  return version === VERSION ? state : null
}

/** Whether a state still describes the tracker, whose row can also be changed by hand. */
export const describes = ({ dwell }: TrackingState, { stationarySince, positionAt }: DeviceRow) =>
  (dwell?.since ?? null) === (stationarySince?.getTime() ?? null) && (dwell === null) === (positionAt === null)

/** A new mark for the fixes of a period, in seconds. */
export type Judgement = { first: number; last: number; reason: Reason | null }

/** Judges a newer fix and those before it. Changes `state`. */
export function judgeNext({ filter }: TrackingState, fix: Fix): Judgement[] {
  const number = filter.count
  const before = describeSegments(filter)
  const verdicts = judgeFix(filter, fix)
  if (verdicts.length === 0) return []
  // A verdict may concern a segment that was dropped meanwhile, or a new one.
  const segments = [...before, ...describeSegments(filter)]
  return verdicts.map(({ first, last, reason }) => ({ first: findStart(first) / 1000, last: findEnd(last) / 1000, reason }))

  function findStart(first: number) {
    if (first === number) return fix.datetime
    const start = segments.find((segment) => segment.first === first)?.since
    // A stale fix comes after the first one at the repeated position.
    return start ?? (segments.find(({ repeat }) => repeat.first + 1 === first)?.repeat.since ?? fix.datetime) + 1000
  }

  function findEnd(last: number) {
    return last === number ? fix.datetime : (segments.find((segment) => segment.last === last)?.end ?? fix.datetime)
  }
}

const describeSegments = ({ segments }: FilterState) =>
  segments.map(({ first, since, last, repeat, fix }) => ({ first, since, last, repeat, end: fix.datetime }))

type ScaledPoint = { lat: number; lng: number }

/** The state of a tracker without a saved one. `arrival`: the position of the first fix of its current stay, if known. */
export const createState = (device: DeviceRow, arrival: ScaledPoint | null): TrackingState => ({
  filter: createFilter(),
  pace: UNKNOWN_PACE,
  dwell: currentDwell(device, arrival),
})

function currentDwell({ lat, lng, positionAt, stationarySince }: DeviceRow, arrival: ScaledPoint | null): Dwell | null {
  if (lat === null || lng === null || positionAt === null) return null
  const point = arrival ?? { lat, lng }
  const at = (stationarySince ?? positionAt).getTime()
  return { lat: fromFixed7(point.lat), lng: fromFixed7(point.lng), at, since: stationarySince?.getTime() ?? null }
}
