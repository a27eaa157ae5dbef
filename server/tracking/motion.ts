import type { EventType } from '#contracts/lib/constants.ts'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { hasStartedMoving } from '#contracts/rules/tracking/alert.ts'
import { computeMotion, nextStanding, type Standing } from '#contracts/rules/tracking/motion.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'

type ScaledPoint = { lat: number; lng: number }

/** Where the tracker stands, or was last seen; `arrival` is the position of the first fix of the dwell. */
export function currentStanding({ lat, lng, positionAt, stationarySince }: DeviceRow, arrival: ScaledPoint | null): Standing | null {
  if (lat === null || lng === null || positionAt === null) return null
  const point = arrival ?? { lat, lng }
  const at = (stationarySince ?? positionAt).getTime()
  return { lat: fromFixed7(point.lat), lng: fromFixed7(point.lng), at, since: stationarySince?.getTime() ?? null }
}

/** Applies a newer fix to the motion; `seenAt` is the time (ms) of the fix before it. */
export function advanceMotion(
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
