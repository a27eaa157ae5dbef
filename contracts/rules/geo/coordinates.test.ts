import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bearingDegrees, distanceMeters, isCertainlyBeyond, pointBetween } from './coordinates.ts'

const montevideo = { lat: -34.9059, lng: -56.1913 }
const buenosAires = { lat: -34.6037, lng: -58.3816 }

test('a degree of latitude is 111.2 km, Montevideo to Buenos Aires 203.2 km', () => {
  expect(distanceMeters({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(111_195.1, 0)
  expect(distanceMeters(montevideo, buenosAires) / 1000).toBeCloseTo(203.2, 0)
})

test('the distance across the date line is the short one, and the distance to the antipode is half the circumference', () => {
  expect(distanceMeters({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })).toBeCloseTo(111_195.1, 0)
  expect(distanceMeters({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(20_015_114, -1)
})

test.each([
  [1, 0, 0],
  [0, 1, 90],
  [-1, 0, 180],
  [0, -1, 270],
])('the heading towards %i degrees of latitude and %i of longitude is %i', (lat, lng, heading) => {
  expect(bearingDegrees({ lat: 0, lng: 0 }, { lat, lng })).toBeCloseTo(heading, 6)
})

const point = fc.record({ lat: fc.double({ min: -90, max: 90, noNaN: true }), lng: fc.double({ min: -180, max: 180, noNaN: true }) })

test('distance is symmetric and zero to the same point, and a heading lies between 0 and 360', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      expect(distanceMeters(a, b)).toBeCloseTo(distanceMeters(b, a), 3)
      expect(distanceMeters(a, a)).toBe(0)
      expect(bearingDegrees(a, b)).toBeGreaterThanOrEqual(0)
      expect(bearingDegrees(a, b)).toBeLessThan(360)
    }),
  )
})

test('points that are reported as beyond a distance really are, anywhere on the globe', () => {
  const lat = fc.double({ min: -90, max: 90, noNaN: true })
  const lng = fc.double({ min: -180, max: 180, noNaN: true })
  const offset = fc.double({ min: -0.002, max: 0.002, noNaN: true })
  let beyond = 0
  fc.assert(
    fc.property(lat, lng, offset, offset, fc.boolean(), lng, (latA, lngA, north, east, isNear, far) => {
      const [latB, lngB] = [Math.max(-90, Math.min(90, latA + north)), isNear ? ((lngA + east + 540) % 360) - 180 : far]
      if (!isCertainlyBeyond(latA, lngA, latB, lngB, 60)) return
      beyond++
      expect(distanceMeters({ lat: latA, lng: lngA }, { lat: latB, lng: lngB })).toBeGreaterThan(60)
    }),
    { numRuns: 5000 },
  )
  expect(beyond).toBeGreaterThan(200)
})

test('the point at a share of the way between two points divides their distance by that share, also across the date line and the poles', () => {
  fc.assert(
    fc.property(point, point, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      const meters = distanceMeters(a, b)
      // Between antipodes all great circles are equally long.
      fc.pre(meters < 20_000_000)
      const between = pointBetween(a, b, share)
      expect(Math.abs(distanceMeters(a, between) - share * meters)).toBeLessThan(1)
      expect(Math.abs(distanceMeters(between, b) - (1 - share) * meters)).toBeLessThan(1)
    }),
  )
})
