import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { City, RoadUser } from '#server/mock/city/index.ts'
import { interpolate, metresBetween, metreVector, offsetBy, turnAngle } from './local-geometry.ts'
import { seededRandom } from './seeded-random.ts'

/** `air` flies loops over one base, without streets. */
export type TravelMode = RoadUser | 'air'

/** Plans a path from door to door along the streets. Throws when the city has no route between the two. */
export function planStreetPath(city: City, from: LatLng, to: LatLng, by: RoadUser): LatLng[] {
  const [start, end] = [city.snap(from, by), city.snap(to, by)]
  const route = city.route(start, end, by)
  if (!route) throw new Error(`No way from ${from.lat}, ${from.lng} to ${to.lat}, ${to.lng}`)
  const ahead = startAtDoor(start, route.points)
  return [from, ...startAtDoor(end, [...ahead].reverse()).reverse(), to]
}

const NEAR_METRES = 3
const SEARCH_METRES = 250

/** Starts a route at `door` if it passes it: routes begin at a crossing, which may mean doubling back. */
function startAtDoor(door: LatLng, points: LatLng[]): LatLng[] {
  let metres = 0
  for (const [index, point] of points.entries()) {
    const next = points[index + 1]
    if (!next || metres > SEARCH_METRES) break
    if (metresBetween(door, nearestPointOnSegment(point, next, door)) < NEAR_METRES) return [door, ...points.slice(index + 1)]
    metres += metresBetween(point, next)
  }
  return [door, ...points]
}

function nearestPointOnSegment(from: LatLng, to: LatLng, point: LatLng) {
  const [line, offset] = [metreVector(from, to), metreVector(from, point)]
  const square = line.east ** 2 + line.north ** 2
  const share = square === 0 ? 0 : (line.east * offset.east + line.north * offset.north) / square
  return interpolate(from, to, Math.min(1, Math.max(0, share)))
}

const FLIGHT_ROUNDS = 3
const STEPS_PER_ROUND = 36

/** Plans loops through `base`, each slightly wider; `far` is the point of the first loop opposite to it. */
export function planFlightPath(base: LatLng, far: LatLng): LatLng[] {
  const { east, north } = metreVector(base, far)
  return Array.from({ length: FLIGHT_ROUNDS * STEPS_PER_ROUND + 1 }, (_, step) => {
    const size = 0.5 * (1 + (0.12 * Math.floor(step / STEPS_PER_ROUND)) / FLIGHT_ROUNDS)
    const angle = (step / STEPS_PER_ROUND) * 2 * Math.PI
    const [along, across] = [size * (1 - Math.cos(angle)), size * 0.7 * Math.sin(angle)]
    return offsetBy(base, along * east - across * north, along * north + across * east)
  })
}

/** A path with the second at which each of its points is passed. */
export type TimedPath = { points: LatLng[]; seconds: number[]; metres: number }

/**
 * Per means of travel: the share of speed left after a right angle and at the ends, the variation of speed, and the braking distance in
 * metres.
 */
const HABITS: Record<TravelMode, { corner: number; ends: number; waver: number; brake: number }> = {
  foot: { corner: 0.75, ends: 0.7, waver: 0.45, brake: 60 },
  wheels: { corner: 0.3, ends: 0.15, waver: 0.2, brake: 45 },
  air: { corner: 1, ends: 0.4, waver: 0, brake: 800 },
}

/** Times a path at about `speed` (m/s): slower in turns and at both ends, with some variation drawn from the seed. */
export function timePath(way: LatLng[], by: TravelMode, speed: number, seed: number): TimedPath {
  const points = splitStraights(way, HABITS[by].brake)
  const speeds = points.map(
    (point, index) => speed * speedShare(points[index - 1], point, points[index + 1], by, seededRandom(seed, index)),
  )
  const seconds = [0]
  let metres = 0
  for (let index = 1; index < points.length; index++) {
    const length = metresBetween(points[index - 1]!, points[index]!)
    metres += length
    seconds.push(seconds[index - 1]! + (2 * length) / (speeds[index - 1]! + speeds[index]!))
  }
  return { points, seconds, metres }
}

function speedShare(before: LatLng | undefined, at: LatLng, after: LatLng | undefined, by: TravelMode, drawn: number) {
  const { corner, ends, waver } = HABITS[by]
  if (!before || !after) return ends
  const turn = Math.min(1, turnAngle(before, at, after) / 90)
  return (1 - (1 - corner) * turn) * (1 + waver * (2 * drawn - 1))
}

/** Splits long straights, so that speed is lost only at their ends. */
const splitStraights = (way: LatLng[], brake: number) =>
  way.flatMap((point, index) => {
    const next = way[index + 1]
    if (!next) return [point]
    const parts = Math.max(1, Math.floor(metresBetween(point, next) / brake))
    return Array.from({ length: parts }, (_, part) => interpolate(point, next, part / parts))
  })

export const travelSeconds = ({ seconds }: TimedPath) => seconds.at(-1)!

export function positionAlong({ points, seconds }: TimedPath, elapsed: number): LatLng {
  let [low, high] = [0, seconds.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (seconds[middle]! <= elapsed) low = middle
    else high = middle
  }
  const [from, to] = [seconds[low]!, seconds[high]!]
  const share = to > from ? Math.min(1, Math.max(0, (elapsed - from) / (to - from))) : 1
  return interpolate(points[low]!, points[high]!, share)
}
