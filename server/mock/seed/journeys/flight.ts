import { bearingDegrees } from '#contracts/rules/geo/coordinates.ts'
import type { Fix, Journeys } from './journeys.ts'
import { metresBetween } from './local-geometry.ts'
import type { Profile } from './profile.ts'

const GROUND_METERS = 25
const CRUISE_METERS = 620
/** Metres per second of climb and descent. */
const CLIMB_MPS = 4
/** Air is never quite still. */
const WAVE = { meters: 18, seconds: 95 }
/** Seconds over which speed and course are measured. */
const SPAN = 4

/** What the receiver of a plane measures at a fix, as it is stored: tenths of km/h, degrees, metres. */
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
