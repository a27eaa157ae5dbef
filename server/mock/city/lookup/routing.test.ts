import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { City, LatLng, RoadUser } from '#server/mock/city/city.ts'
import { toPlane } from '#server/mock/city/frame.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createHeap } from './routing.ts'

test('items are popped in the order of their keys', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (keys) => {
      const heap = createHeap()
      keys.forEach((key, item) => {
        heap.push(item, key)
      })
      const order = keys.map(() => keys[heap.pop()])
      expect(order).toEqual([...keys].sort((a, b) => a - b))
      expect(heap.pop()).toBe(-1)
    }),
  )
})

test('a cleared heap can be used again', () => {
  const heap = createHeap()
  heap.push(1, 5)
  heap.clear()
  expect(heap.pop()).toBe(-1)
  heap.push(2, 7)
  expect(heap.pop()).toBe(2)
})

let city: City
beforeAll(async () => {
  city = await openTestCity()
})

const apart = (a: LatLng, b: LatLng) => {
  const [from, to] = [toPlane(a), toPlane(b)]
  return Math.hypot(from.x - to.x, from.y - to.y)
}
const oldTown = { lat: -34.9067, lng: -56.206 }
const carrasco = { lat: -34.886, lng: -56.058 }
const cerro = { lat: -34.882, lng: -56.258 }
const park = { lat: -34.8945, lng: -56.1545 }
const modes: RoadUser[] = ['foot', 'wheels']
const towns = [oldTown, carrasco, cerro, park, { lat: -34.83, lng: -56.17 }, { lat: -34.86, lng: -56.02 }]

describe.each(modes)('routes by %s', (by) => {
  const pairs = towns.flatMap((from) => towns.filter((to) => to !== from).map((to) => [from, to] as const))

  test('every place has a route to every other', async () => {
    expect(
      await collectFailures(
        pairs,
        ([from, to]) => `${JSON.stringify(from)} to ${JSON.stringify(to)}`,
        ([from, to]) => {
          const route = city.route(from, to, by)!
          expect(route.metres).toBeGreaterThan(apart(from, to) - 800)
          expect(route.metres).toBeLessThan(apart(from, to) * 2.5)
          expect(apart(route.points[0]!, city.snap(from, by))).toBeLessThan(400)
          expect(apart(route.points.at(-1)!, city.snap(to, by))).toBeLessThan(400)
        },
      ),
    ).toEqual([])
  })

  test('a route counts its metres as a pedestrian walks them', () => {
    const { points, metres } = city.route(oldTown, carrasco, by)!
    expect(points[0]!.metres).toBe(0)
    expect(points.at(-1)!.metres).toBe(metres)
    for (let at = 1; at < points.length; at++) {
      expect(points[at]!.metres - points[at - 1]!.metres).toBeCloseTo(apart(points[at]!, points[at - 1]!), 0)
    }
  })

  test('a route follows the streets', () => {
    for (const point of city.route(cerro, carrasco, by)!.points) expect(apart(point, city.snap(point, by))).toBeLessThan(0.5)
  })

  test('a route from a point to itself has length 0', () => {
    const route = city.route(oldTown, oldTown, by)!
    expect(route.metres).toBe(0)
    expect(route.points).toHaveLength(1)
  })

  test('two searches for the same route return the same one', () => {
    expect(city.route(oldTown, carrasco, by)).toEqual(city.route(oldTown, carrasco, by))
  })
})

describe('pedestrians and vehicles', () => {
  test("a pedestrian's route through a park is shorter than the way around by car", () => {
    const across = [
      { lat: -34.8935, lng: -56.158 },
      { lat: -34.8965, lng: -56.15 },
    ] as const
    expect(city.route(...across, 'foot')!.metres).toBeLessThan(city.route(...across, 'wheels')!.metres)
  })

  test('one-way streets make the way back differ for vehicles but not for pedestrians', () => {
    const length = (from: LatLng, to: LatLng, by: RoadUser) => city.route(from, to, by)!.metres
    const [a, b] = [city.snap({ lat: -34.9085, lng: -56.195 }, 'wheels'), city.snap({ lat: -34.903, lng: -56.175 }, 'wheels')]
    expect(length(a, b, 'wheels')).not.toBeCloseTo(length(b, a, 'wheels'), 0)
    expect(length(a, b, 'foot')).toBeCloseTo(length(b, a, 'foot'), 0)
  })
})

describe('snapping to the network', () => {
  test.each(modes)('a point snapped for %s is near, and snapping it again does not move it', (by) => {
    const snapped = city.snap({ lat: -34.9, lng: -56.17 }, by)
    expect(apart(snapped, { lat: -34.9, lng: -56.17 })).toBeLessThan(100)
    expect(apart(city.snap(snapped, by), snapped)).toBeLessThan(0.3)
  })

  test('a point on the river snaps to the shore', () => {
    const snapped = city.snap({ lat: -34.96, lng: -56.16 }, 'foot')
    expect(snapped.lat).toBeGreaterThan(-34.945)
  })

  test.each(modes)('every point snapped for %s can be reached and left', (by) => {
    const { south, west, north, east } = city.bounds
    for (let step = 0; step < 60; step++) {
      const point = { lat: south + ((north - south) * ((step * 7) % 60)) / 60, lng: west + ((east - west) * ((step * 13) % 60)) / 60 }
      expect(city.route(city.snap(point, by), oldTown, by)).not.toBeNull()
      expect(city.route(oldTown, city.snap(point, by), by)).not.toBeNull()
    }
  })
})
