import { distanceBetween, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'

/** Below this speed a move is never suspect, whatever the tracker did before. */
const ALWAYS_KMH = 60
/** Up to this speed a move is plausible where there was time to accelerate to it. */
const ROAD_KMH = 150
/** Airliners with a tailwind stay below it. */
const FASTEST_KMH = 1300
/** Metres per second squared: more than road vehicles sustain, and than airliners reach in a turn. */
const PLAUSIBLE_ACCELERATION = 5
/** No vehicle, person or animal keeps up this acceleration for seconds. */
const POSSIBLE_ACCELERATION = 8
/** Errors of a fix exceed its stated precision; smaller jumps are left to the smoothing. */
const MIN_SLACK_METERS = 50
const SLACK_PRECISIONS = 1.5
/**
 * The cost of believing a jump, in dropped fixes. Less than 1: a new speed or direction that lasts is believed. More than 0.5: a jump and a
 * return cost more than dropping the fixes in between.
 */
const LEAP_COST = 0.9
/** The cost of a physically impossible speed or acceleration. */
export const IMPOSSIBLE_COST = 3

/** Judges a move from `a` to `b` by the speed and the direction from `before` to `a`, and from `b` to `after`, where they are known. */
export function costOfMove(before: Fix | null, a: Fix, b: Fix, after: Fix | null): number {
  const seconds = secondsBetween(a, b)
  const meters = metersBetween(a, b) - slackMeters(a, b)
  if (meters <= metersPerSecond(ALWAYS_KMH) * seconds) return 0
  const speed = before ? metersPerSecond(kmhBetween(before, a)) : Number.POSITIVE_INFINITY
  if (meters <= Math.min(metersPerSecond(ROAD_KMH), speed + (PLAUSIBLE_ACCELERATION * seconds) / 2) * seconds) return 0
  if ((before && isOnCourse(before, a, b)) || (after && isOnCourse(after, b, a))) return 0
  const arrival = after ? metersPerSecond(kmhBetween(b, after)) : Number.POSITIVE_INFINITY
  const gained = (POSSIBLE_ACCELERATION * seconds) / 2
  const fastest = Math.min(metersPerSecond(FASTEST_KMH), speed + gained, (speed + arrival + gained) / 2)
  return meters <= fastest * seconds ? LEAP_COST : IMPOSSIBLE_COST
}

/**
 * Whether a tracker that continues straight from `from` as it came from `before`, or slows down, reaches `to` by then. With the fixes in
 * reverse order: or speeds up.
 */
function isOnCourse(before: Fix, from: Fix, to: Fix): boolean {
  const seconds = secondsBetween(from, to)
  const speed = metersPerSecond(kmhBetween(before, from))
  const deviation = Math.min(PLAUSIBLE_ACCELERATION * seconds, Math.max(metersPerSecond(ALWAYS_KMH), speed / 2))
  const factor = seconds / secondsBetween(before, from)
  const [course, move] = [offsetMeters(before, from), offsetMeters(from, to)]
  const [east, north] = [course.east * factor, course.north * factor]
  const square = east * east + north * north
  const share = square > 0 ? Math.max(0, Math.min(1, (move.east * east + move.north * north) / square)) : 0
  return Math.hypot(move.east - share * east, move.north - share * north) <= slackMeters(from, to) + deviation * seconds
}

const secondsBetween = (a: Fix, b: Fix) => Math.max(1, Math.abs(b.datetime - a.datetime) / 1000)
export const slackMeters = (a: Fix, b: Fix) => Math.max(MIN_SLACK_METERS, SLACK_PRECISIONS * (a.precision + b.precision))
export const kmhBetween = (a: Fix, b: Fix) => (metersBetween(a, b) / secondsBetween(a, b)) * 3.6
export const metersBetween = (a: LatLng, b: LatLng) => distanceBetween(a.lat, a.lng, b.lat, b.lng)
const metersPerSecond = (kmh: number) => kmh / 3.6

const METERS_PER_DEGREE = 111_195

function offsetMeters(a: LatLng, b: LatLng) {
  const degreesEast = ((b.lng - a.lng + 540) % 360) - 180
  return { east: degreesEast * METERS_PER_DEGREE * Math.cos((a.lat * Math.PI) / 180), north: (b.lat - a.lat) * METERS_PER_DEGREE }
}
