import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import { type Geofence, UNKNOWN_CROSSING } from '#contracts/rules/geo/place.ts'
import type { Shape, ShapePoint } from '#contracts/rules/geo/shape.ts'
import { rateStep } from '#contracts/rules/tracking/crossing.ts'
import { compareTimes } from '#scripts/bench/measure.ts'
import { atLeast, atMost, type Row } from '#scripts/bench/row.ts'
import type { Watch } from '#server/alerts/rules/watch.ts'
import { applyFix } from '#server/alerts/tracker-alerts.ts'

const POINTS = 2000
/** Places and positions lie in a square of this many degrees. */
const AREA = 6
const SECOND_MS = 1000
/** Of a tracker that has reported every second for a while. */
const STEP = rateStep({ seenAt: 0, intervalMs: SECOND_MS }, null, { lat: 0, lng: 0, precision: 10, datetime: SECOND_MS })
const CONTEXT = { hasStarted: false, mode: 22, step: STEP, before: null, sentSpeed: null, reporter: null }
const NO_RULE = { rule: null, schedule: null, pause: 0, timeZone: 'UTC', usual: null, state: {}, dueAt: null }

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
      ...NO_RULE,
      hasChanged: false,
      firedAt: undefined,
      pair: null,
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
        for (const fix of fixes) watches = applyFix(watches, fix, CONTEXT).watches
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

/** An area with as many corners, about 1 km in radius. */
const drawArea = (corners: number): Shape => ({
  type: 'polygon',
  points: Array.from({ length: corners }, (_, index): ShapePoint => {
    const [turn, reach] = [(index / corners) * 2 * Math.PI, index % 2 ? 0.009 : 0.01]
    return [48 + reach * Math.sin(turn), 8 + 1.5 * reach * Math.cos(turn)]
  }),
})

/** A winding way with as many points, 22 km long. */
const drawWay = (points: number): Shape => ({
  type: 'corridor',
  points: Array.from({ length: points }, (_, index): ShapePoint => [48 + (0.2 * index) / points, 8 + 0.005 * Math.sin(index / 3)]),
  width: 100,
})

/** The same positions at the border of a shape and at that of its circle, or all far to the east of both. */
const compareWithCircle = (id: string, name: string, shape: Shape, goal: number, isFar = false): Row => ({
  id,
  name,
  floor: 'its circle',
  goal: atMost(goal),
  async measure() {
    const random = createRandom()
    const circle = encloseShape(shape)
    const reach = circle.radius / 111_195
    const fixes = Array.from({ length: POINTS }, (_, index) => ({
      lat: circle.lat + (2 * random() - 1) * reach,
      lng: circle.lng + (isFar ? 2 + random() : (2 * random() - 1) * reach),
      precision: 10,
      datetime: index * SECOND_MS,
    }))
    const follow = (border: Geofence) => {
      let watches: Watch[] = [
        {
          alertId: 1,
          isVehicleAlert: false,
          trigger: 'enter',
          place: { id: 1, name: 'Place', lat: border.lat, lng: border.lng, radius: border.radius, shape: border.shape ?? null },
          crossing: UNKNOWN_CROSSING,
          ...NO_RULE,
          hasChanged: false,
          firedAt: undefined,
          pair: null,
        },
      ]
      return () => {
        for (const fix of fixes) watches = applyFix(watches, fix, CONTEXT).watches
      }
    }
    return compareTimes({ ours: follow({ ...circle, shape }), floor: follow(circle), rounds: 40, each: fixes.length, unit: 'µs' })
  },
})

const shapes: Row[] = [
  compareWithCircle('G2/area', 'a position at an area of 50 corners', drawArea(50), 3),
  compareWithCircle('G2/way', 'a position at a way of 200 points', drawWay(200), 6),
  compareWithCircle('G2/far', 'a position 100 km from a way of 200 points', drawWay(200), 1.5, true),
]

export const geo: Row[] = [fences, ...shapes]
