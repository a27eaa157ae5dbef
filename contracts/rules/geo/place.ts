import { PLACE_TYPES, type PlaceType, type Trigger } from '#contracts/lib/constants.ts'
import { distanceMeters, type LatLng } from './coordinates.ts'

/** A circle on the map, `radius` in metres. */
export type Circle = LatLng & { radius: number }

/** State of one tracker at one place: the known side of the border, and the side suggested by an unclear fix. */
export type Crossing = { inside: boolean | null; leaning: boolean | null }

/** State before the first fix, and after a place is moved. */
export const UNKNOWN_CROSSING: Crossing = { inside: null, leaning: null }

export const isInsideCircle = (point: LatLng, place: Circle) => distanceMeters(point, place) <= place.radius

/** Returns the place that contains a point; the smallest of several, as it is the most specific. */
export const findContainingPlace = <P extends Circle>(places: readonly P[], at: LatLng | null | undefined): P | undefined =>
  at ? places.filter((place) => isInsideCircle(at, place)).sort((a, b) => a.radius - b.radius)[0] : undefined

/** Less than a degree of latitude anywhere, in metres. */
const LEAST_DEGREE_METERS = 110_000

/**
 * Whether a tracker that was outside is clearly still there, by latitude alone: most places are far away, and this costs a hundredth of a
 * distance.
 */
export const staysOutside = (state: Crossing, fix: LatLng & { precision: number }, place: Circle) =>
  state.inside === false && state.leaning === null && Math.abs(fix.lat - place.lat) * LEAST_DEGREE_METERS >= place.radius + fix.precision

/**
 * Advances a crossing by one fix. An event fires only on a change of side, never on the first known side. A fix whose precision is worse
 * than the radius is ignored. A fix whose circle of uncertainty lies on one side of the border decides at once; one that straddles the
 * border decides only if the next fix agrees, so that drift at the border fires nothing.
 */
export const advanceCrossing = (
  state: Crossing,
  fix: LatLng & { precision: number },
  place: Circle,
): { state: Crossing; event: Trigger | null } => {
  if (fix.precision >= place.radius || staysOutside(state, fix, place)) return { state, event: null }
  const distance = distanceMeters(fix, place)
  const side = distance <= place.radius
  const isClear = Math.abs(distance - place.radius) >= fix.precision
  if (!isClear && state.leaning !== side)
    return { state: { inside: state.inside, leaning: side === state.inside ? null : side }, event: null }
  const isCrossed = state.inside !== null && state.inside !== side
  return { state: { inside: side, leaning: null }, event: isCrossed ? (side ? 'enter' : 'leave') : null }
}

/** Parses a place type from csv or API input, in any case; `store` means `shop`; null for anything else. */
export const parsePlaceType = (text: string): PlaceType | null => {
  const word = text.trim().toLowerCase()
  return word === 'store' ? 'shop' : (PLACE_TYPES.find((type) => type === word) ?? null)
}
