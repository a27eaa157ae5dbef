import type { Open } from '#contracts/lib/unknown-values.ts'
import { distanceMeters, isCertainlyBeyond, type LatLng } from './coordinates.ts'
import { findInnerRadius } from './measure-shape.ts'
import { distanceToShape, type Shape } from './shape.ts'

/** Imports and API input may also say `store`, which means `shop`. */
export const PLACE_TYPES = ['home', 'school', 'work', 'shop', 'warehouse', 'other'] as const
export type PlaceType = Open<typeof PLACE_TYPES>

/** In metres. */
export const PLACE_RADIUS = { min: 50, max: 10_000, default: 200 } as const

/** The direction in which crossing a place's border fires an alert. */
export const TRIGGERS = ['enter', 'leave'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** A circle on the map, `radius` in metres. */
export type Circle = LatLng & { radius: number }

/** A place on the map: a circle, or a shape, which the circle then contains. */
export type Geofence = Circle & { shape?: Shape | null | undefined }

/**
 * State of one tracker at one place: the known side of the border, and the side suggested by uncertain fixes. `sureness`: the sum of the
 * squares of their distances to the border in precisions.
 */
export type Crossing = { inside: boolean | null; leaning: boolean | null; sureness?: number | undefined }

/** State before the first fix, and after a place is moved. */
export const UNKNOWN_CROSSING: Crossing = { inside: null, leaning: null }

/** Metres from a point to the border of a place; negative inside. */
export const distanceToBorder = (point: LatLng, place: Geofence) =>
  place.shape ? distanceToShape(point, place.shape) : distanceMeters(point, place) - place.radius

/** Slightly less than a degree of latitude in metres, anywhere on earth. */
const LEAST_DEGREE_METERS = 110_000

/** Whether a point is clearly further than some metres from a circle, by latitude alone. */
const isBeyondByLatitude = (point: LatLng, place: Circle, meters: number) =>
  Math.abs(point.lat - place.lat) * LEAST_DEGREE_METERS >= place.radius + meters

export const isInsidePlace = (point: LatLng, place: Geofence) =>
  !(place.shape && isBeyondByLatitude(point, place, 0)) && distanceToBorder(point, place) <= 0

/** Returns the place that contains a point; of several the one whose circle is the smallest, as it is the most specific. */
export const findContainingPlace = <P extends Geofence>(places: readonly P[], at: LatLng | null | undefined): P | undefined =>
  at ? places.filter((place) => isInsidePlace(at, place)).sort((a, b) => a.radius - b.radius)[0] : undefined

/** Metres from the border to the middle of a place. */
export const innerRadiusOf = ({ radius, shape }: Geofence) => (shape ? findInnerRadius(shape) : radius)

/**
 * Whether a tracker that was outside is clearly still there, by latitude alone: most places are far away, and this takes a hundredth of the
 * time of computing a distance. A shape takes longer, so its longitude counts as well.
 */
export const staysOutside = (state: Crossing, fix: LatLng & { precision: number }, place: Geofence) =>
  state.inside === false &&
  state.leaning === null &&
  (isBeyondByLatitude(fix, place, fix.precision) ||
    (place.shape ? isCertainlyBeyond(fix.lat, fix.lng, place.lat, place.lng, place.radius + fix.precision) : false))

/** Three and a half precisions from the border: a tracker lying still at the border is not measured that far off in years. */
export const SURE = 12
/** One doubtful fix is at most this share of what is needed: two are enough. */
export const DOUBTFUL_SHARE = 0.5
/** Fixes are never assumed to be more precise. */
const MIN_PRECISION_METERS = 5

/** The distance of a fix to a border in precisions. */
export const surenessOf = (meters: number, precision: number) => meters / Math.max(MIN_PRECISION_METERS, precision)

/** Two fixes near the middle of a place are enough, however small it is for their precision. */
const neededFor = (fix: { precision: number }, place: Geofence) =>
  Math.min(SURE, 1.5 * surenessOf(innerRadiusOf(place), fix.precision) ** 2)

/**
 * Advances a crossing by one fix of a tracker that reports rarely. An event fires only on a change of side, never on the first known side. A
 * fix whose precision is worse than the radius, or the width of a shape, is ignored. Since a precision contains only two thirds of all fixes, one far on the other side
 * decides at once, several at one precision together, and drift at the border fires nothing. A fix that is doubtful is not enough alone.
 */
export const advanceCrossing = (
  state: Crossing,
  fix: LatLng & { precision: number },
  place: Geofence,
  isDoubtful = false,
): { state: Crossing; event: Trigger | null } => {
  if (staysOutside(state, fix, place) || fix.precision >= innerRadiusOf(place)) return { state, event: null }
  const meters = distanceToBorder(fix, place)
  const side = meters <= 0
  const apart = surenessOf(Math.abs(meters), fix.precision)
  if (state.inside === null)
    return { state: apart >= 1 || state.leaning === side ? sideOf(side) : { inside: null, leaning: side }, event: null }
  if (state.inside === side) return { state: sideOf(side), event: null }
  const needed = neededFor(fix, place)
  const sureness = (state.sureness ?? 0) + Math.min(apart ** 2, isDoubtful ? DOUBTFUL_SHARE * needed : needed)
  if (sureness < needed) return { state: { inside: state.inside, leaning: side, sureness: round(sureness) }, event: null }
  return { state: sideOf(side), event: side ? 'enter' : 'leave' }
}

const sideOf = (inside: boolean): Crossing => ({ inside, leaning: null })
const round = (sureness: number) => Math.ceil(sureness * 100) / 100

/** Parses a place type from csv or API input, in any case; `store` means `shop`; null for anything else. */
export const parsePlaceType = (text: string): PlaceType | null => {
  const word = text.trim().toLowerCase()
  return word === 'store' ? 'shop' : (PLACE_TYPES.find((type) => type === word) ?? null)
}
