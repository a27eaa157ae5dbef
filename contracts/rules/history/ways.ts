import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { FixColumns } from './fixes.ts'
import { PAUSE } from './path.ts'
import type { Leg } from './trips.ts'

/**
 * A trip as it is saved with its day: seconds, metres, and a shape of `SHAPE_POINTS` points at equal distances along it. The shape has latitude
 * and longitude of the first point in 1e-5 degrees, then the difference of each point to the one before.
 */
export type TripSketch = { start: number; seconds: number; meters: number; shape: number[] }

/** A route that was travelled several times: how often, its typical metres and seconds, and the seconds at which its trips began, in order. */
export type Way = {
  trips: number
  meters: number
  seconds: number
  last: number
  starts: number[]
  isRound: boolean
  points: LatLng[]
  farthest: LatLng
}

/** A place where trips ended. */
export type Destination = LatLng & { visits: number }

const SHAPE_POINTS = 12
const UNITS_PER_DEGREE = 1e5
const METERS_PER_UNIT = 111_195.08 / UNITS_PER_DEGREE
const WORLD = 360 * UNITS_PER_DEGREE
/** Shorter trips are steps around the house. */
const MIN_METERS = 200
/** The most trips of one day that are sketched, in order of time. */
const MOST_PER_DAY = 60

/** Trip ends this close together are one place. */
const SAME_PLACE_METERS = 150
/** Two trips of one way may differ in length by this share and these metres, because sparse fixes cut corners. */
const LENGTH = { share: 0.25, meters: 100 }
/** The largest mean distance between two trips of one route: this many metres, or this share of its length. */
const APART = { meters: 60, share: 0.07 }
/** A round trip ends near its beginning: within this share of its length. */
const ROUND_SHARE = 0.1
/** Two trips may be a coincidence. */
const MIN_TRIPS = 3
const MOST_WAYS = 12
const MOST_DESTINATIONS = 5

/** Sketches the trips of a day, or more of them than a day has. */
export function* sketchTrips(fixes: FixColumns, legs: readonly Leg[], most = MOST_PER_DAY): Work<TripSketch[]> {
  const sketches: TripSketch[] = []
  for (const { kind, first, last, start, durationMs, meters } of legs) {
    if (kind !== 'trip' || meters < MIN_METERS || sketches.length >= most) continue
    const shape = yield* sketchShape(fixes, first, last)
    sketches.push({ start: Math.round(start / 1000), seconds: Math.round(durationMs / 1000), meters: Math.round(meters), shape })
  }
  return sketches
}

function* sketchShape({ lat, lng }: FixColumns, first: number, last: number): Work<number[]> {
  const cosine = Math.cos(((lat[first] ?? 0) * Math.PI) / 180)
  const [north, east, along] = [[lat[first] ?? 0], [lng[first] ?? 0], [0]]
  for (let index = first + 1, at = 1; index <= last; index++, at++) {
    if (index % PAUSE === 0) yield
    const [dLat, dLng] = [(lat[index] ?? 0) - (lat[index - 1] ?? 0), wrap((lng[index] ?? 0) - (lng[index - 1] ?? 0), 360)]
    north.push(lat[index] ?? 0)
    east.push((east[at - 1] ?? 0) + dLng)
    along.push((along[at - 1] ?? 0) + Math.hypot(dLat, dLng * cosine))
  }
  const shape: number[] = []
  let [atLat, atLng] = [0, 0]
  for (let nth = 0, before = 0; nth < SHAPE_POINTS; nth++) {
    const distance = ((along.at(-1) ?? 0) * nth) / (SHAPE_POINTS - 1)
    while (before < along.length - 2 && (along[before + 1] ?? 0) < distance) before++
    const length = (along[before + 1] ?? 0) - (along[before] ?? 0)
    const share = length > 0 ? Math.min(1, (distance - (along[before] ?? 0)) / length) : 0
    const between = (values: number[]) =>
      (values[before] ?? 0) + ((values[before + 1] ?? values[before] ?? 0) - (values[before] ?? 0)) * share
    const [toLat, toLng] = [Math.round(between(north) * UNITS_PER_DEGREE), Math.round(between(east) * UNITS_PER_DEGREE)]
    shape.push(toLat - atLat, toLng - atLng)
    ;[atLat, atLng] = [toLat, toLng]
  }
  return shape
}

/** Points in units of 1e-5 degrees. */
type Shape = { lat: Float64Array; lng: Float64Array }
/** `length` is the mean of `meters`. */
type Group = { shape: Shape; length: number; meters: number[]; seconds: number[]; starts: number[]; isRound: boolean }

/**
 * Groups trips, ordered by time, into routes: the same ends, a similar length and the same way between. From A to B and back are two
 * routes; a round trip is one, in either direction. Returns the most frequent ways and the places where trips ended most often.
 */
export function* findWays(sketches: readonly TripSketch[]): Work<{ ways: Way[]; destinations: Destination[] }> {
  const groups: Group[] = []
  const destinations: Destination[] = []
  for (const [nth, { start, seconds, meters, shape: packed }] of sketches.entries()) {
    if (nth % 16 === 0) yield
    const shape = unpack(packed)
    const isRound = endsApart(shape) <= Math.max(SAME_PLACE_METERS, ROUND_SHARE * meters)
    const own = { shape, length: meters, meters: [meters], seconds: [seconds], starts: [start], isRound }
    const found = findGroup(groups, own)
    if (found) join(found.group, found.isReversed ? { ...own, shape: reverse(shape) } : own)
    else groups.push(own)
    countVisit(destinations, shape)
  }
  const frequent = groups.filter((group) => group.meters.length >= MIN_TRIPS)
  frequent.sort((a, b) => b.meters.length - a.meters.length || lastOf(b) - lastOf(a))
  destinations.sort((a, b) => b.visits - a.visits)
  return { ways: frequent.slice(0, MOST_WAYS).map(toWay), destinations: destinations.slice(0, MOST_DESTINATIONS) }
}

function findGroup(groups: readonly Group[], trip: Group) {
  let best: { group: Group; isReversed: boolean } | undefined
  const { length } = trip
  let limit = Math.max(APART.meters, APART.share * length)
  for (const group of groups) {
    if (group.isRound !== trip.isRound || !isLike(group.length, length)) continue
    for (const isReversed of trip.isRound ? [false, true] : [false]) {
      const shape = isReversed ? reverse(trip.shape) : trip.shape
      if (Math.max(metersBetween(group.shape, shape, 0), metersBetween(group.shape, shape, SHAPE_POINTS - 1)) > SAME_PLACE_METERS) continue
      const apart = meanApart(group.shape, shape)
      if (apart > limit) continue
      limit = apart
      best = { group, isReversed }
    }
  }
  return best
}

const isLike = (a: number, b: number) => Math.abs(a - b) <= LENGTH.share * Math.max(a, b) + LENGTH.meters

function meanApart(a: Shape, b: Shape) {
  let sum = 0
  for (let index = 0; index < SHAPE_POINTS; index++) sum += metersBetween(a, b, index)
  return sum / SHAPE_POINTS
}

/** The shape of a group is the mean of its trips. */
function join(group: Group, trip: Group) {
  group.meters.push(...trip.meters)
  group.seconds.push(...trip.seconds)
  group.starts.push(...trip.starts)
  const count = group.meters.length
  group.length += (trip.length - group.length) / count
  for (let index = 0; index < SHAPE_POINTS; index++) {
    group.shape.lat[index]! += (trip.shape.lat[index]! - group.shape.lat[index]!) / count
    group.shape.lng[index]! += wrap(trip.shape.lng[index]! - group.shape.lng[index]!, WORLD) / count
  }
}

function countVisit(destinations: Destination[], { lat, lng }: Shape) {
  const end = toPoint(lat.at(-1) ?? 0, lng.at(-1) ?? 0)
  const cosine = Math.cos((end.lat * Math.PI) / 180)
  const known = destinations.find(
    (each) =>
      Math.hypot(each.lat - end.lat, wrap(each.lng - end.lng, 360) * cosine) * UNITS_PER_DEGREE * METERS_PER_UNIT <= SAME_PLACE_METERS,
  )
  if (!known) return destinations.push({ ...end, visits: 1 })
  known.visits++
  known.lat += (end.lat - known.lat) / known.visits
  known.lng += wrap(end.lng - known.lng, 360) / known.visits
  return
}

const lastOf = ({ starts }: Group) => starts.at(-1) ?? 0

function toWay(group: Group): Way {
  const { shape, meters, seconds, starts, isRound } = group
  const points = Array.from(shape.lat, (lat, index) => toPoint(lat, shape.lng[index] ?? 0))
  const far = Array.from(shape.lat, (_, index) => metersApart(shape, index, shape, 0))
  const farthest = points[far.indexOf(Math.max(...far))]!
  return { trips: meters.length, meters: median(meters), seconds: median(seconds), last: lastOf(group), starts, isRound, points, farthest }
}

function unpack(packed: readonly number[]): Shape {
  const shape = { lat: new Float64Array(SHAPE_POINTS), lng: new Float64Array(SHAPE_POINTS) }
  for (let index = 0; index < SHAPE_POINTS; index++) {
    shape.lat[index] = (shape.lat[index - 1] ?? 0) + (packed[2 * index] ?? 0)
    shape.lng[index] = (shape.lng[index - 1] ?? 0) + (packed[2 * index + 1] ?? 0)
  }
  return shape
}

const reverse = ({ lat, lng }: Shape): Shape => ({ lat: lat.toReversed(), lng: lng.toReversed() })

const endsApart = (shape: Shape) => metersApart(shape, 0, shape, SHAPE_POINTS - 1)
const metersBetween = (a: Shape, b: Shape, index: number) => metersApart(a, index, b, index)

function metersApart(a: Shape, nth: number, b: Shape, other: number) {
  const lat = a.lat[nth] ?? 0
  const cosine = Math.cos((lat / UNITS_PER_DEGREE) * (Math.PI / 180))
  return Math.hypot(lat - (b.lat[other] ?? 0), wrap((a.lng[nth] ?? 0) - (b.lng[other] ?? 0), WORLD) * cosine) * METERS_PER_UNIT
}

const toPoint = (lat: number, lng: number): LatLng => ({ lat: lat / UNITS_PER_DEGREE, lng: wrap(lng / UNITS_PER_DEGREE, 360) })

/** The same direction between half a circle west and half a circle east. */
function wrap(value: number, circle: number) {
  const half = circle / 2
  return value > half ? value - circle : value < -half ? value + circle : value
}

function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
