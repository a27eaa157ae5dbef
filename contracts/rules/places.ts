import type { Trigger } from '#contracts/lib/constants.ts'
import { distanceMeters, type LatLng } from './geo.ts'

/** A circle on the map, `radius` in metres. */
export type Circle = LatLng & { radius: number }

/** What is remembered of one tracker at one place: the known side of the border, and the side an unclear fix pointed to. */
export type Crossing = { inside: boolean | null; leaning: boolean | null }

/** Before the first position and after a place is moved. */
export const UNKNOWN_CROSSING: Crossing = { inside: null, leaning: null }

export const insideCircle = (point: LatLng, place: Circle) => distanceMeters(point, place) <= place.radius

/** The place a point lies in; of several the smallest, which says most. */
export const placeAt = <P extends Circle>(places: readonly P[], at: LatLng | null | undefined): P | undefined =>
  at ? places.filter((place) => insideCircle(at, place)).sort((a, b) => a.radius - b.radius)[0] : undefined

/**
 * Entering or leaving a place: fires on the transition only, never on the first known position (D-33). A fix
 * no more accurate than the place is large says nothing. One whose circle of uncertainty lies on one side of the border
 * counts at once; one that straddles it counts when the next fix agrees, so drift at the border stays silent.
 */
export const crossing = (
  state: Crossing,
  fix: LatLng & { precision: number },
  place: Circle,
): { state: Crossing; event: Trigger | null } => {
  if (fix.precision >= place.radius) return { state, event: null }
  const side = insideCircle(fix, place)
  const isClear = Math.abs(distanceMeters(fix, place) - place.radius) >= fix.precision
  if (!isClear && state.leaning !== side)
    return { state: { inside: state.inside, leaning: side === state.inside ? null : side }, event: null }
  const isCrossed = state.inside !== null && state.inside !== side
  return { state: { inside: side, leaning: null }, event: isCrossed ? (side ? 'enter' : 'leave') : null }
}
