import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { City } from '#server/mock/city/index.ts'
import { createSpotLookup } from '#server/mock/seed/records/spots.ts'
import { type Cadence, nextFixSecond } from './cadence.ts'
import { dayNumber, type PathFinder, planTrips, type Trip } from './itinerary.ts'
import { offsetBy } from './local-geometry.ts'
import { planFlightPath, planStreetPath, positionAlong, type TimedPath, type TravelMode, timePath } from './paths.ts'
import type { Profile, Target } from './profile.ts'
import { hashText, seededNoise, seededRandom } from './seeded-random.ts'

/** A tracker moving or resting from second `since` to second `until`; infinite when beyond the horizon. */
export type State = LatLng & { isMoving: boolean; since: number; until: number }

/** A reported position; `second` counts from the anchor, `precision` is in metres. */
export type Fix = LatLng & { second: number; precision: number; isMoving: boolean }

/** The simulated movements of trackers. Everything is a function of the seed, the profile and the second from the anchor. */
export type Journeys = {
  stateAt(profile: Profile, second: number): State
  /** The position as the receiver measures it, with some noise. */
  fixAt(profile: Profile, second: number): Fix
  /** The second of the next fix after that of second `last`; infinite for a tracker that sends nothing. */
  nextFix(profile: Profile, last: number, cadence: Cadence): number
  /** The fixes with `from < second <= to`; `from` is the second of the previous fix. */
  fixes(profile: Profile, from: number, to: number, cadence: Cadence): Fix[]
}

const HORIZON_DAYS = 40
const pathFinders = new WeakMap<City, PathFinder>()

export function createJourneys(city: City, seed: number): Journeys {
  const pathFinder = pathFinders.get(city) ?? createPathFinder(city)
  pathFinders.set(city, pathFinder)
  const days = new Map<string, Trip[]>()

  function trips(profile: Profile, day: number) {
    const key = `${profile.id}:${day}`
    const known = days.get(key) ?? planTrips(pathFinder, profile, seed, day)
    days.set(key, known)
    return known
  }

  function findTripBefore(profile: Profile, second: number): Trip | undefined {
    const day = dayNumber(second)
    for (let back = 0; back <= HORIZON_DAYS; back++) {
      const trip = trips(profile, day - back).findLast(({ start }) => start <= second)
      if (trip) return trip
    }
  }

  function findNextTrip(profile: Profile, second: number): Trip | undefined {
    const day = dayNumber(second)
    for (let ahead = 0; ahead <= HORIZON_DAYS; ahead++) {
      const trip = trips(profile, day + ahead).find(({ start }) => start > second)
      if (trip) return trip
    }
  }

  function stateAt(profile: Profile, second: number): State {
    const trip = findTripBefore(profile, second)
    if (trip && second < trip.end) {
      return { ...positionAlong(trip.path, second - trip.start), isMoving: true, since: trip.start, until: trip.end }
    }
    const point = pathFinder.locate(!trip || profile.by === 'air' ? profile.base : trip.to, profile.by)
    const since = trip?.end ?? Number.NEGATIVE_INFINITY
    return { ...point, isMoving: false, since, until: findNextTrip(profile, second)?.start ?? Number.POSITIVE_INFINITY }
  }

  function fixAt(profile: Profile, second: number): Fix {
    const { isMoving, ...point } = stateAt(profile, second)
    const [east, north] = [seededNoise(seed, profile.id, second, 1), seededNoise(seed, profile.id, second, 2)]
    const blur = isMoving ? 3 : 4
    return {
      ...offsetBy(point, east * blur, north * blur),
      second,
      precision: 4 + Math.floor(6 * seededRandom(seed, profile.id, second)),
      isMoving,
    }
  }

  const nextFixAfter = (profile: Profile, last: number, cadence: Cadence) =>
    nextFixSecond(stateAt(profile, last), last, cadence, { by: profile.by, share: seededRandom(seed, profile.id, last, 7) })

  return {
    stateAt,
    fixAt,
    nextFix: nextFixAfter,
    fixes(profile, from, to, cadence) {
      const found: Fix[] = []
      for (let second = nextFixAfter(profile, from, cadence); second <= to; second = nextFixAfter(profile, second, cadence))
        found.push(fixAt(profile, second))
      return found
    },
  }
}

/** Finds paths in a city. All journeys of the city share one, because it remembers paths and spots. */
function createPathFinder(city: City): PathFinder {
  const spots = createSpotLookup(city)
  const cache = new Map<string, TimedPath>()
  function locate(target: Target, by: TravelMode) {
    if (typeof target === 'string') return spots(target)
    const place = offsetBy(spots(target[0]), target[1], target[2])
    return by === 'air' ? place : city.snap(place, by)
  }
  return {
    locate,
    findPath({ by, speed }, from, to) {
      const key = `${by} ${speed} ${from} ${to}`
      const known = cache.get(key)
      if (known) return known
      const way =
        by === 'air' ? planFlightPath(locate(from, by), locate(to, by)) : planStreetPath(city, locate(from, by), locate(to, by), by)
      const path = timePath(way, by, speed, hashText(key))
      cache.set(key, path)
      return path
    },
  }
}
