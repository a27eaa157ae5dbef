import { bearingDegrees } from '#contracts/rules/geo/coordinates.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { fromFixed7, type NewPosition, toFixed7 } from '#db/positions.ts'
import type { Fix, Journeys } from './journeys.ts'
import { metresBetween, offsetBy } from './local-geometry.ts'
import type { Profile } from './profile.ts'

const GROUND_METERS = 25
const CRUISE_METERS = 620
/** Metres per second of climb and descent. */
const CLIMB_MPS = 4
/** Variation of a receiver's altitude even in calm air. */
const WAVE = { meters: 18, seconds: 95 }
/** Seconds over which speed and course are measured. */
const SPAN = 4

/** The measurements of a plane's receiver at a fix, as stored: tenths of km/h, degrees, metres. */
export function measureFlight(journeys: Journeys, profile: Profile, { second, isMoving }: Fix) {
  if (!isMoving) return { speed: 0, course: null, altitude: GROUND_METERS }
  const { since, until } = journeys.stateAt(profile, second)
  const [before, after] = [Math.max(since, second - SPAN), Math.min(until, second + SPAN)]
  const [from, to] = [journeys.stateAt(profile, before), journeys.stateAt(profile, after)]
  const climbed = Math.min(CRUISE_METERS - GROUND_METERS, CLIMB_MPS * Math.min(second - since, until - second))
  const wave = climbed > WAVE.meters ? WAVE.meters * Math.sin((2 * Math.PI * second) / WAVE.seconds) : 0
  return {
    speed: Math.round((metresBetween(from, to) / Math.max(1, after - before)) * 36),
    course: Math.round(bearingDegrees(from, to)) % 360,
    altitude: Math.round(GROUND_METERS + climbed + wave),
  }
}

type Oddity = { minute: number; second: number; mark: (typeof POSITION_MARKS)[number]; east?: number; north?: number; precision?: number }

/**
 * Wrong positions that a receiver in a pocket reports now and then: minutes from the anchor, seconds after the preceding correct position,
 * metres away.
 */
const ODDITIES: readonly Oddity[] = [
  { minute: -71, second: 9, mark: 'zero' },
  { minute: -66, second: 11, mark: 'jump', east: 5200, north: 3900 },
  { minute: -64, second: 10, mark: 'vague', east: 420, north: -260, precision: 1800 },
  { minute: -12, second: 7, mark: 'run', east: -7400, north: 2600 },
  { minute: -12, second: 13, mark: 'run', east: -7420, north: 2630 },
  { minute: -12, second: 19, mark: 'run', east: -7390, north: 2650 },
]

/** A history with a few positions that look wrong, already marked. Times are in seconds from the anchor. */
export function withOddities(rows: readonly NewPosition[]): NewPosition[] {
  const odd = ODDITIES.flatMap(({ minute, second, mark, east, north, precision }) => {
    const before = rows.findLast(({ time }) => time <= minute * 60)
    if (!before) return []
    const point = { lat: fromFixed7(before.lat), lng: fromFixed7(before.lng) }
    const { lat, lng } = mark === 'zero' ? { lat: 0, lng: 0 } : offsetBy(point, east ?? 0, north ?? 0)
    const place = { lat: toFixed7(lat), lng: toFixed7(lng), precision: precision ?? before.precision }
    return { ...before, ...place, time: before.time + second, event: null, mark: POSITION_MARKS.indexOf(mark) }
  })
  const known = new Set(rows.map(({ time }) => time))
  return [...rows, ...odd.filter(({ time }) => !known.has(time))].sort((a, b) => a.time - b.time)
}
