import { expect, test } from 'vitest'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { splitIntoLegs } from '#contracts/rules/history/trips.ts'
import { findWays, sketchTrips, type TripSketch } from '#contracts/rules/history/ways.ts'
import { finish } from '#contracts/rules/work.ts'

const DEGREE = 111_195
/** Metres to the east and to the north. */
type Corner = readonly [east: number, north: number]
const HOME: Corner = [0, 0]
const SHOP: Corner = [2000, 0]
const NORTH: Corner = [1000, 600]
const BLOCK: Corner[] = [HOME, [800, 0], [800, 800], [0, 800], HOME]

/** A day with a stop, a walk along corners at 5 km/h and a stop, with fixes every so many seconds that are off by some metres. */
function walk(corners: readonly Corner[], { day = 0, every = 30, noise = 0, lng = 10 } = {}): TripSketch[] {
  const start = Date.UTC(2026, 0, 1 + day, 9)
  const points: LatLng[] = []
  const add = ([east, north]: Corner) => {
    const wobble = noise * Math.sin(points.length * 2.1 + day)
    const to = lng + (east + wobble) / DEGREE
    points.push({ lat: (north + wobble) / DEGREE, lng: to > 180 ? to - 360 : to })
  }
  const stay = (at: Corner) => {
    for (let seconds = 0; seconds < 1200; seconds += every) add(at)
  }
  stay(corners[0]!)
  for (const [nth, to] of corners.slice(1).entries()) {
    const from = corners[nth]!
    const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (1.39 * every))
    for (let step = 0; step < steps; step++) add([0, 1].map((axis) => from[axis]! + ((to[axis]! - from[axis]!) * step) / steps) as never)
  }
  stay(corners.at(-1)!)
  const fixes = toFixColumns(points.map((point, nth) => ({ ...point, datetime: start + nth * every * 1000, precision: 8 })))
  return finish(sketchTrips(fixes, finish(splitIntoLegs(fixes))))
}

const days = (count: number, corners: readonly Corner[], options = {}) =>
  [...Array(count).keys()].flatMap((day) => walk(corners, { day, noise: 6, ...options }))
const waysOf = (...trips: TripSketch[][]) => finish(findWays(trips.flat().toSorted((a, b) => a.start - b.start))).ways

test.each<[rule: string, trips: TripSketch[][], counts: number[]]>([
  ['the same way three times is a way, however dense its fixes are', [days(2, [HOME, SHOP]), days(1, [HOME, SHOP], { every: 120 })], [3]],
  ['going twice is none', [days(2, [HOME, SHOP])], []],
  ['going and coming back are two ways', [days(4, [HOME, SHOP]), days(3, [SHOP, HOME])], [4, 3]],
  ['two ways between the same ends are told apart', [days(3, [HOME, SHOP]), days(4, [HOME, NORTH, SHOP])], [4, 3]],
  ['ways to places 400 m apart are two', [days(3, [HOME, SHOP]), days(3, [HOME, [2000, 400]])], [3, 3]],
  ['a round is one way in both directions', [days(2, BLOCK), days(3, BLOCK.toReversed())], [5]],
  ['steps about the house are no trips', [days(5, [HOME, [150, 0]])], []],
  ['ways across the date line are found too', [days(3, [HOME, SHOP], { lng: 179.99 })], [3]],
])('%s', (_, trips, counts) => {
  expect(waysOf(...trips).map((way) => way.trips)).toEqual(counts)
})

test('a route has its typical length and time, its last trip, and points from start to end', () => {
  const [way] = waysOf(days(3, [HOME, NORTH, SHOP]))
  expect(way).toMatchObject({ isRound: false, last: expect.closeTo(Date.UTC(2026, 0, 3, 9, 20) / 1000, -3) })
  expect(Math.abs(way!.meters - 2332)).toBeLessThan(200)
  expect(Math.abs(way!.seconds - 1680)).toBeLessThan(300)
  expect(way!.points.map(({ lat }) => Math.abs(Math.round((lat * DEGREE) / 200)))).toEqual([0, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1, 0])
  expect((way!.points.at(-1)!.lng - 10) * DEGREE).toBeCloseTo(2000, -2)
})

test('a round trip is named after its point farthest from the start', () => {
  const [way] = waysOf(days(3, BLOCK))
  expect(way).toMatchObject({ isRound: true })
  const { lat, lng } = way!.farthest
  expect(Math.hypot(lat * DEGREE - 800, (lng - 10) * DEGREE - 800)).toBeLessThan(200)
})

test('places where trips ended are counted, most visited first', () => {
  const { destinations } = finish(findWays([...days(3, [HOME, SHOP]), ...days(2, [SHOP, HOME]), ...days(1, [HOME, [2000, 60]])]))
  expect(destinations.map(({ visits }) => visits)).toEqual([4, 2])
})
