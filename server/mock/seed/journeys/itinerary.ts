import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { type TimedPath, type TravelMode, travelSeconds } from './paths.ts'
import type { Move, Profile, Target } from './profile.ts'
import { seededRandom } from './seeded-random.ts'

export const DAY_SECONDS = 86_400
/** A simulated day begins nine hours before the anchor's time of day, when every tracker is at its base. */
const DAY_START_SECONDS = -9 * 3600
/** On days other than the anchor's, moves shift by up to this many seconds either way. */
const MAX_SHIFT_SECONDS = 1500
const MIN_REST_SECONDS = 120
const HOME_BEFORE_SECONDS = 3600

/** `start` and `end` in seconds from the anchor. */
export type Trip = { start: number; end: number; path: TimedPath; to: Target }

export type PathFinder = {
  locate(target: Target, by: TravelMode): LatLng
  findPath(profile: Profile, from: Target, to: Target): TimedPath
}

export const dayNumber = (second: number) => Math.floor((second - DAY_START_SECONDS) / DAY_SECONDS)

const isSame = (a: Target, b: Target) => String(a) === String(b)

/** Plans the trips of one day in order of time; the last one ends at the base. */
export function planTrips(pathFinder: PathFinder, profile: Profile, seed: number, day: number): Trip[] {
  const midnight = day * DAY_SECONDS + DAY_START_SECONDS
  const moves = profile.moves(day)
  const trips: Trip[] = []
  let [at, free]: [Target, number] = [profile.base, midnight]

  const plan = (move: Move, index: number, from: Target, earliest: number): Trip | null => {
    const drawn = (salt: number) => (day === 0 ? 0 : seededRandom(seed, profile.id, day, index, salt))
    const choices = profile.by === 'air' ? move.to : move.to.filter((target) => !isSame(target, from))
    const to = choices[Math.floor(drawn(1) * choices.length)]
    if (to === undefined) return null
    const path = pathFinder.findPath(profile, from, to)
    const length = Math.round(travelSeconds(path))
    const shift = day === 0 || profile.isPunctual || 'after' in move ? 0 : Math.round((2 * drawn(2) - 1) * MAX_SHIFT_SECONDS)
    const wished = computeStart(move, day * DAY_SECONDS + shift, earliest, length)
    const start = Math.max(wished, earliest + MIN_REST_SECONDS)
    return { start, end: start + length, path, to }
  }

  for (const [index, move] of moves.entries()) {
    const trip = plan(move, index, at, free)
    if (!trip || ('after' in move && !leavesTime(trip, index))) continue
    trips.push(trip)
    ;[at, free] = [profile.by === 'air' ? profile.base : trip.to, trip.end]
  }
  if (!isSame(at, profile.base)) trips.push(plan({ to: [profile.base], after: 10 }, moves.length, at, free)!)
  return trips

  /** Whether a trip leaves enough time to start the next fixed move on time and to be home at night. */
  function leavesTime(trip: Trip, index: number) {
    if (trip.end > midnight + DAY_SECONDS - HOME_BEFORE_SECONDS) return false
    const next = moves.findIndex((move, later) => later > index && !('after' in move))
    const fixed = moves[next]
    if (!fixed) return true
    const wished = plan(fixed, next, trip.to, Number.NEGATIVE_INFINITY)
    return wished === null || trip.end + MIN_REST_SECONDS <= wished.start
  }
}

function computeStart(move: Move, origin: number, earliest: number, length: number) {
  if ('after' in move) return earliest + Math.round(move.after * 60)
  return 'leave' in move ? origin + Math.round(move.leave * 60) : origin + Math.round(move.arrive * 60) - length
}
