import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import { rateStep } from '#contracts/rules/tracking/crossing.ts'
import { compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, type Row } from '#scripts/bench/row.ts'
import { applyFix, type Watch } from '#server/alerts/tracker-alerts.ts'

const POINTS = 2000
/** Places and positions lie in a square of this many degrees. */
const AREA = 6
const SECOND_MS = 1000
/** Of a tracker that has reported every second for a while. */
const STEP = rateStep({ seenAt: 0, intervalMs: SECOND_MS }, SECOND_MS)

function createRandom(state = 7) {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const PLACES = 50

const fences: Row = {
  id: 'G1/50',
  name: `a position checked against the alerts of ${PLACES} places`,
  floor: 'a loop of haversines over objects',
  goal: atLeast(1.5),
  async measure() {
    const random = createRandom()
    const latitude = () => 45 + random() * AREA
    const longitude = () => 5 + random() * AREA
    // One literal for each object, as in the product: reading an object that a spread has begun takes Node 20 up to ten times as long.
    let watches: Watch[] = Array.from({ length: PLACES }, (_, id) => ({
      alertId: id,
      isVehicleAlert: false,
      trigger: 'enter',
      place: { id, name: `Place ${id}`, lat: latitude(), lng: longitude(), radius: 100 + random() * 400 },
      crossing: UNKNOWN_CROSSING,
      hasChanged: false,
      firedAt: undefined,
    }))
    const circles = watches.map(({ place }) => place!)
    const fixes = Array.from({ length: POINTS }, (_, index) => ({
      lat: latitude(),
      lng: longitude(),
      precision: 10,
      datetime: index * SECOND_MS,
    }))
    const outcome = await compareTimes({
      ours: () => {
        for (const fix of fixes) watches = applyFix(watches, fix, { hasStarted: false, mode: 22, step: STEP }).watches
      },
      floor: () => {
        let inside = 0
        for (const fix of fixes) for (const circle of circles) if (distanceMeters(fix, circle) <= circle.radius) inside++
        return inside
      },
      rounds: 20,
      each: fixes.length,
      unit: 'µs',
    })
    return { ...outcome, ratio: 1 / outcome.ratio }
  },
}

export const geo: Row[] = [fences]
