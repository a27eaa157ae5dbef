import { LRUCache } from 'lru-cache'
import type { Dwell } from '#contracts/rules/tracking/crossing.ts'
import { createFollowState, type FollowState } from '#contracts/rules/tracking/follow.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'

/** What is saved of earlier messages. `presses`: the last seconds since 1970 at which the button was pressed. */
export type TrackingState = FollowState & { presses?: number[] | undefined }

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

type ScaledPoint = { lat: number; lng: number }

/** The state of a tracker without a saved one. `arrival`: the position of the first fix of its current stay, if known. */
export const createState = (device: DeviceRow, arrival: ScaledPoint | null): TrackingState => ({
  ...createFollowState(),
  dwell: currentDwell(device, arrival),
})

function currentDwell({ lat, lng, positionAt, stationarySince }: DeviceRow, arrival: ScaledPoint | null): Dwell | null {
  if (lat === null || lng === null || positionAt === null) return null
  const point = arrival ?? { lat, lng }
  const at = (stationarySince ?? positionAt).getTime()
  return { lat: fromFixed7(point.lat), lng: fromFixed7(point.lng), at, since: stationarySince?.getTime() ?? null }
}
