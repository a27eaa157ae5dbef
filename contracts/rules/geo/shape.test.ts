import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceMeters, unwrap } from './coordinates.ts'
import { encloseShape, findInnerRadius } from './measure-shape.ts'
import { advanceCrossing, distanceToBorder, findContainingPlace, type Geofence, isInsidePlace, staysOutside } from './place.ts'
import { distanceToShape, type Polygon, type Shape, type ShapePoint } from './shape.ts'
import { findCrossingEdges, findShapeFault, tidyShape } from './shape-faults.ts'

const METERS_PER_DEGREE = 111_195.08

/** Metres east and north of an origin, as a point. */
const placeAt =
  (lat: number, lng: number) =>
  (east: number, north: number): ShapePoint => [
    lat + north / METERS_PER_DEGREE,
    unwrap(lng + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)), 0),
  ]
const near = placeAt(-34.9, -56.2)
const toLatLng = ([lat, lng]: ShapePoint) => ({ lat, lng })
const polygon = (...points: ShapePoint[]): Polygon => ({ type: 'polygon', points })
const corridor = (width: number, ...points: ShapePoint[]): Shape => ({ type: 'corridor', points, width })
const fence = (shape: Shape): Geofence => ({ ...encloseShape(shape), shape })

const SQUARE = polygon(near(0, 0), near(400, 0), near(400, 400), near(0, 400))
/** A U open to the north, 400 m wide and high, whose arms are 100 m wide. */
const U = polygon(near(0, 0), near(400, 0), near(400, 400), near(300, 400), near(300, 100), near(100, 100), near(100, 400), near(0, 400))
const L_WAY = corridor(50, near(0, 0), near(1000, 0), near(1000, 1000))

describe('the distance to the border of a shape', () => {
  test.each([
    ['the middle of a square is half its side inside', SQUARE, near(200, 200), -200],
    ['beside a square it is the way to the edge', SQUARE, near(450, 200), 50],
    ['beyond a corner it is the way to the corner', SQUARE, near(430, 440), 50],
    ['the gap of a U is outside', U, near(200, 300), 100],
    ['the arm of a U is inside', U, near(50, 300), -50],
    ['the middle of a way is its width inside', L_WAY, near(500, 0), -50],
    ['beside a way its width is subtracted', L_WAY, near(500, 120), 70],
    ['a way has round ends', L_WAY, near(-30, 40), 0],
    ['the inner corner of a way is inside', L_WAY, near(960, 40), -10],
  ])('%s', (_words, shape, point, meters) => {
    expect(distanceToShape(toLatLng(point), shape)).toBeCloseTo(meters, 0)
  })

  /** The least distance to many points on the edges, and the side by the turns that the border makes around the point. */
  function measureBySampling([lat, lng]: ShapePoint, shape: Shape): number {
    const mercator = (degrees: number) => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360))
    const latitude = (y: number) => ((2 * Math.atan(Math.exp(y)) - Math.PI / 2) * 180) / Math.PI
    const ends = shape.points.map(([at, of]) => [unwrap(of, lng), mercator(at)] as const)
    const last = shape.type === 'polygon' ? ends.length : ends.length - 1
    let [least, turns] = [Number.POSITIVE_INFINITY, 0]
    for (let index = 0; index < last; index++) {
      const [from, to] = [ends[index]!, ends[(index + 1) % ends.length]!]
      for (let share = 0; share <= 1; share += 1 / 2000) {
        const [x, y] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
        least = Math.min(least, distanceMeters({ lat, lng }, { lat: latitude(y), lng: x }))
      }
      const angleOf = ([x, y]: readonly [number, number]) => Math.atan2(y - mercator(lat), ((x - lng) * Math.PI) / 180)
      const by = angleOf(to) - angleOf(from)
      turns += Math.atan2(Math.sin(by), Math.cos(by))
    }
    if (shape.type === 'corridor') return least - shape.width
    return Math.abs(turns) > Math.PI ? -least : least
  }

  const origin = fc.tuple(fc.double({ min: -70, max: 70, noNaN: true }), fc.constantFrom(-180, -179.99, -56, 0, 100, 179.99))
  const offset = fc.integer({ min: -3000, max: 3000 })
  const offsets = fc.tuple(offset, offset)

  test('it equals the least distance to points sampled on the edges, on both sides of the antimeridian as well', () => {
    fc.assert(
      fc.property(origin, fc.array(offsets, { minLength: 3, maxLength: 9 }), offsets, fc.boolean(), (at, corners, from, isArea) => {
        const place = placeAt(...at)
        const points = corners.map(([east, north]) => place(east, north))
        const shape = tidyShape(isArea ? polygon(...points) : corridor(100, ...points))
        fc.pre(shape.points.length >= (isArea ? 3 : 2) && !(isArea && findCrossingEdges(shape)))
        const point = place(...from)
        const meters = measureBySampling(point, shape)
        // Samples lie up to 2 m from the nearest point of an edge.
        expect(Math.abs(distanceToShape(toLatLng(point), shape) - meters)).toBeLessThan(2.5)
      }),
      { numRuns: 200 },
    )
  })

  test('a shape lies within its circle, and nothing inside it counts as far away', () => {
    fc.assert(
      fc.property(origin, fc.array(offsets, { minLength: 3, maxLength: 9 }), offsets, fc.boolean(), (at, corners, from, isArea) => {
        const place = placeAt(...at)
        const points = corners.map(([east, north]) => place(east, north))
        const shape = tidyShape(isArea ? polygon(...points) : corridor(100, ...points))
        fc.pre(shape.points.length >= 3)
        const shaped = fence(shape)
        const point = toLatLng(place(...from))
        if (distanceToShape(point, shape) <= 0) {
          expect(distanceMeters(point, shaped)).toBeLessThanOrEqual(shaped.radius)
          expect(isInsidePlace(point, shaped)).toBe(true)
        }
        const fix = { ...point, precision: 15 }
        if (staysOutside({ inside: false, leaning: null }, fix, shaped)) expect(distanceToBorder(fix, shaped)).toBeGreaterThanOrEqual(15)
      }),
      { numRuns: 500 },
    )
  })
})

test('a circle is what it was before places had shapes', () => {
  const coordinate = fc.double({ min: -80, max: 80, noNaN: true })
  fc.assert(
    fc.property(
      coordinate,
      coordinate,
      fc.integer({ min: 50, max: 10_000 }),
      fc.tuple(fc.nat(20_000), fc.nat(20_000)),
      (lat, lng, radius, by) => {
        const circle = { lat, lng, radius }
        const point = toLatLng(placeAt(lat, lng)(...by))
        for (const place of [circle, { ...circle, shape: undefined }, { ...circle, shape: null }]) {
          expect(Object.is(distanceToBorder(point, place), distanceMeters(point, circle) - radius)).toBe(true)
          expect(isInsidePlace(point, place)).toBe(distanceMeters(point, circle) <= radius)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

describe('crossing the border of a shape', () => {
  const play = (place: Geofence, fixes: [east: number, north: number, precision?: number][]) => {
    let state = { inside: null, leaning: null } as Parameters<typeof advanceCrossing>[0]
    return fixes.map(([east, north, precision = 10]) => {
      const step = advanceCrossing(state, { ...toLatLng(near(east, north)), precision }, place)
      state = step.state
      return step.event
    })
  }

  test.each([
    [
      'walking into the gap of a U leaves it',
      fence(U),
      [
        [50, 300],
        [200, 300],
      ],
      [null, 'leave'],
    ],
    [
      'crossing the gap enters the other arm',
      fence(U),
      [
        [50, 300],
        [200, 300],
        [350, 300],
      ],
      [null, 'leave', 'enter'],
    ],
    [
      'leaving a way is a detour',
      fence(L_WAY),
      [
        [500, 0],
        [900, 10],
        [500, 200],
      ],
      [null, null, 'leave'],
    ],
    [
      'a fix less precise than the width of a way is ignored',
      fence(L_WAY),
      [
        [500, 0],
        [500, 900, 60],
        [500, 10],
      ],
      [null, null, null],
    ],
    [
      'drift at the edge of an area fires nothing',
      fence(SQUARE),
      [
        [200, 200],
        [405, 200],
        [395, 200],
        [405, 200],
      ],
      [null, null, null, null],
    ],
  ] as [string, Geofence, [number, number, number?][], (string | null)[]][])('%s', (_words, place, fixes, events) => {
    expect(play(place, fixes)).toEqual(events)
  })

  test('of a circle and a way that contain a point, the one with the smaller circle names it', () => {
    const home = { lat: -34.9, lng: -56.2, radius: 200 }
    const way = fence(L_WAY)
    expect(findContainingPlace([way, home], toLatLng(near(100, 10)))).toBe(home)
    expect(findContainingPlace([way, home], toLatLng(near(600, 10)))).toBe(way)
    expect(findContainingPlace([way, home], toLatLng(near(600, 210)))).toBeUndefined()
  })
})

describe('the radius of a shape', () => {
  test.each([
    ['a square', SQUARE, 200],
    ['a U, by its corners', U, 58],
    ['a way, by its width', L_WAY, 50],
  ])('%s', (_words, shape, inner) => {
    expect(findInnerRadius(shape)).toBeLessThan(inner * 1.01)
    expect(findInnerRadius(shape)).toBeGreaterThan(inner * 0.8)
  })

  test('the circle around a shape is at most a tenth larger than the smallest', () => {
    expect(encloseShape(SQUARE).radius).toBeLessThan(200 * Math.SQRT2 * 1.1)
    expect(distanceMeters(encloseShape(SQUARE), toLatLng(near(200, 200)))).toBeLessThan(30)
  })
})

describe('what is refused as a shape', () => {
  const far = placeAt(50, 179.9)
  test.each([
    ['an area across the antimeridian is accepted', polygon(far(0, 0), far(20_000, 0), far(20_000, 9000)), null],
    [
      'corners that repeat are left out, and two are too few',
      polygon(near(0, 0), near(0, 0), near(400, 0), near(0, 0)),
      { reason: 'few_points' },
    ],
    ['a way of one point', corridor(50, near(0, 0), near(0, 0)), { reason: 'few_points' }],
    ['a bow tie', polygon(near(0, 0), near(400, 400), near(400, 0), near(0, 400)), { reason: 'crossing', edges: [1, 3] }],
    ['an edge that returns on the one before', polygon(near(0, 0), near(400, 0), near(200, 0), near(200, 300)), { reason: 'crossing' }],
    ['a corner on another edge', polygon(near(0, 0), near(400, 0), near(400, 400), near(200, 0), near(0, 400)), { reason: 'crossing' }],
    ['an area of 30 by 300 m', polygon(near(0, 0), near(30, 0), near(30, 300), near(0, 300)), { reason: 'too_narrow' }],
    ['an area of 120 km', polygon(near(0, 0), near(120_000, 0), near(0, 500)), { reason: 'too_large' }],
    ['a way of 120 km is accepted', corridor(50, near(0, 0), near(120_000, 0)), null],
    ['a way of 600 km', corridor(50, near(0, 0), near(600_000, 0)), { reason: 'too_large' }],
    ['north of where maps end', polygon([85.1, 0], [85.1, 1], [85.2, 0]), { reason: 'too_far_north' }],
    ['a way that crosses itself is accepted', corridor(50, near(0, 0), near(400, 400), near(400, 0), near(0, 400)), null],
  ])('%s', (_words, shape, fault) => {
    const found = findShapeFault(tidyShape(shape))
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatchObject(fault)
  })
})
