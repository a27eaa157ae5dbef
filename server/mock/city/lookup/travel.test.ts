import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { City, LatLng, RoadUser } from '#server/mock/city/city.ts'
import { toPlane } from '#server/mock/city/frame.ts'
import { openTestCity } from '#server/mock/city/testing.ts'

let city: City
beforeAll(async () => {
  city = await openTestCity()
})

const place = fc.record({
  lat: fc.double({ min: -34.91, max: -34.86, noNaN: true }),
  lng: fc.double({ min: -56.19, max: -56.1, noNaN: true }),
})
const by = fc.constantFrom<RoadUser>('foot', 'wheels')
const metres = (a: LatLng, b: LatLng) => {
  const [from, to] = [toPlane(a), toPlane(b)]
  return Math.hypot(to.x - from.x, to.y - from.y)
}
const few = { numRuns: 25 }

describe('routes anywhere in the city', () => {
  test('every street can be reached from every other', () => {
    fc.assert(
      fc.property(place, place, by, (from, to, travel) => {
        expect(city.route(city.snap(from, travel), city.snap(to, travel), travel)).not.toBeNull()
      }),
      few,
    )
  })

  test('a route is as long as the sum of its parts and no shorter than the straight line', () => {
    fc.assert(
      fc.property(place, place, by, (from, to, travel) => {
        const { points, metres: length } = city.route(from, to, travel)!
        let total = 0
        for (const [index, point] of points.entries()) {
          if (index > 0) total += metres(points[index - 1]!, point)
          expect(point.metres).toBeGreaterThanOrEqual(points[index - 1]?.metres ?? 0)
          expect(Math.abs(point.metres - total)).toBeLessThan(1 + total / 500)
        }
        expect(length).toBe(points.at(-1)!.metres)
        expect(length + 1 + length / 500).toBeGreaterThanOrEqual(metres(points[0]!, points.at(-1)!))
      }),
      few,
    )
  })

  test('on foot the way back is as long as the way there', () => {
    fc.assert(
      fc.property(place, place, (from, to) => {
        expect(city.route(to, from, 'foot')!.metres).toBeCloseTo(city.route(from, to, 'foot')!.metres, -1)
      }),
      few,
    )
  })

  test('on foot a detour is never shorter', () => {
    fc.assert(
      fc.property(place, place, place, (from, over, to) => {
        const direct = city.route(from, to, 'foot')!.metres
        const detour = city.route(from, over, 'foot')!.metres + city.route(over, to, 'foot')!.metres
        expect(direct).toBeLessThanOrEqual(detour + 5)
      }),
      few,
    )
  })

  test('snapping a point of the network leaves it in place', () => {
    fc.assert(
      fc.property(place, by, (point, travel) => {
        const onStreet = city.snap(point, travel)
        expect(metres(city.snap(onStreet, travel), onStreet)).toBeLessThan(1)
        expect(metres(onStreet, point)).toBeLessThan(1500)
      }),
      few,
    )
  })

  test('the nearest address to a house is that house, and its label finds its street', () => {
    fc.assert(
      fc.property(place, (point) => {
        const house = city.nearest(point)
        if (!house || !/^\d+( BIS| [A-Z])?$/.test(house.number)) return
        expect(metres(house, point)).toBeLessThanOrEqual(401)
        expect(metres(city.nearest(house)!, house)).toBeLessThan(1)
        expect(city.search(house.label)[0]?.street).toBe(house.street)
      }),
      few,
    )
  })

  test('there are no addresses in the river', () => expect(city.nearest({ lat: -34.96, lng: -56.17 })).toBeNull())
})
