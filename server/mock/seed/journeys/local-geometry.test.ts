import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { interpolate, metresBetween, metreVector, offsetBy, turnAngle } from './local-geometry.ts'
import { planFlightPath, positionAlong, timePath, travelSeconds } from './paths.ts'

const centre = { lat: -34.9, lng: -56.16 }
const metres = fc.double({ min: -8000, max: 8000, noNaN: true })
const point = fc.tuple(metres, metres).map(([east, north]) => offsetBy(centre, east, north))
const share = fc.double({ min: 0, max: 1, noNaN: true })
const by = fc.constantFrom('foot' as const, 'wheels' as const, 'air' as const)
const way = fc
  .array(point, { minLength: 2, maxLength: 8 })
  .filter((points) => points.every((at, index) => index === 0 || metresBetween(points[index - 1]!, at) > 1))

describe('local geometry', () => {
  test('an offset east and north is measured as the same offset', () => {
    fc.assert(
      fc.property(point, metres, metres, (from, east, north) => {
        const there = metreVector(from, offsetBy(from, east, north))
        expect(there.east).toBeCloseTo(east, 6)
        expect(there.north).toBeCloseTo(north, 6)
      }),
    )
  })

  test('the distance of a point to itself is zero, and distances are nearly symmetric', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(metresBetween(a, a)).toBe(0)
        expect(Math.abs(metresBetween(a, b) - metresBetween(b, a))).toBeLessThan(40)
      }),
    )
  })

  test('an interpolation begins at one end, ends at the other and is straight', () => {
    fc.assert(
      fc.property(point, point, share, (a, b, part) => {
        expect(interpolate(a, b, 0)).toEqual(a)
        expect(metresBetween(interpolate(a, b, 1), b)).toBeLessThan(1e-6)
        expect(metresBetween(a, interpolate(a, b, part))).toBeCloseTo(part * metresBetween(a, b), 4)
      }),
    )
  })

  test('turns are measured in degrees from straight on', async () => {
    const rows = [
      ['straight on', 0, 100, 0],
      ['to the left', -100, 0, 90],
      ['to the right', 100, 0, 90],
      ['back', 0, -100, 180],
      ['half right', 100, 100, 45],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([_, east, north, degrees]) => {
          const at = offsetBy(centre, 0, 100)
          expect(turnAngle(centre, at, offsetBy(at, east, north))).toBeCloseTo(degrees, 0)
        },
      ),
    ).toEqual([])
  })
})

describe('timed path', () => {
  test('seconds never decrease and run from the start to the end of the path', () => {
    fc.assert(
      fc.property(way, by, fc.double({ min: 0.5, max: 60, noNaN: true }), fc.integer(), (points, travel, speed, seed) => {
        const pace = timePath(points, travel, speed, seed)
        for (const [index, second] of pace.seconds.entries()) if (index > 0) expect(second).toBeGreaterThan(pace.seconds[index - 1]!)
        expect(pace.points).toHaveLength(pace.seconds.length)
        expect(positionAlong(pace, 0)).toEqual(points[0])
        expect(metresBetween(positionAlong(pace, travelSeconds(pace)), points.at(-1)!)).toBeLessThan(1e-3)
      }),
      { numRuns: 50 },
    )
  })

  test('positions before the start and after the end stay at the ends', () => {
    fc.assert(
      fc.property(way, by, fc.nat(100_000), (points, travel, early) => {
        const pace = timePath(points, travel, 5, 1)
        expect(positionAlong(pace, -early)).toEqual(points[0])
        expect(metresBetween(positionAlong(pace, travelSeconds(pace) + early), points.at(-1)!)).toBeLessThan(1e-3)
      }),
      { numRuns: 50 },
    )
  })

  test('the average speed is at most the nominal speed and at least half of it', () => {
    fc.assert(
      fc.property(way, by, fc.double({ min: 1, max: 50, noNaN: true }), (points, travel, speed) => {
        const pace = timePath(points, travel, speed, 7)
        const average = pace.metres / travelSeconds(pace)
        expect(average).toBeLessThanOrEqual(speed * 1.45)
        if (pace.metres > 5000 && travel === 'air') expect(average).toBeGreaterThan(speed / 2)
      }),
      { numRuns: 50 },
    )
  })

  test('a hairpin is taken as slowly as a right angle, but not slower', () => {
    const corner = offsetBy(centre, 0, 400)
    const taking = (east: number, north: number) =>
      travelSeconds(timePath([centre, corner, offsetBy(corner, east, north)], 'wheels', 10, 1))
    const [straight, right, hairpin] = [taking(0, 400), taking(400, 0), taking(50, -396.8)]
    expect(right).toBeGreaterThan(straight + 1)
    expect(Math.abs(hairpin - right)).toBeLessThan(0.5)
  })

  test('the same seed gives the same timed path', () => {
    fc.assert(
      fc.property(way, by, fc.integer(), (points, travel, seed) => {
        expect(timePath(points, travel, 3, seed)).toEqual(timePath(points, travel, 3, seed))
      }),
      { numRuns: 25 },
    )
  })
})

describe('flight path', () => {
  test('a flight returns to its base after every loop and reaches its farthest point', () => {
    fc.assert(
      fc.property(point, point, (base, far) => {
        const rounds = planFlightPath(base, far)
        const length = metresBetween(base, far)
        for (const step of [0, 36, 72, 108]) expect(metresBetween(rounds[step]!, base)).toBeLessThan(1e-6)
        expect(metresBetween(rounds[18]!, far)).toBeLessThan(1 + length / 1000)
        expect(Math.max(...rounds.map((at) => metresBetween(base, at)))).toBeLessThan(1 + length * 1.12)
      }),
    )
  })
})
