import fc from 'fast-check'
import type { Fix } from '#contracts/rules/geo/coordinates.ts'

const METERS_PER_DEGREE = 111_195.08
const ORIGIN = { lat: 48, lng: 8 }

/** A fix `north` metres north of the origin, at `second`. */
export const fixAt = (second: number, north: number, precision = 10, east = 0): Fix => ({
  lat: ORIGIN.lat + north / METERS_PER_DEGREE,
  lng: ORIGIN.lng + east / METERS_PER_DEGREE / Math.cos((ORIGIN.lat * Math.PI) / 180),
  datetime: second * 1000,
  precision,
})

export const PLACE = { ...ORIGIN, radius: 200 }

type Visits = { stays: number[]; interval: number; precision: number; noise: number[]; late: boolean[] }

/** Repeated stays inside and outside of `PLACE`, 1 km apart, on foot or by car, with white and slow noise; durations in seconds. */
export const noisyVisits: fc.Arbitrary<Visits> = fc.record({
  stays: fc.array(fc.integer({ min: 120, max: 1200 }), { minLength: 2, maxLength: 6 }),
  interval: fc.constantFrom(1, 5, 10, 30),
  precision: fc.integer({ min: 3, max: 30 }),
  noise: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 50, maxLength: 200 }),
  late: fc.array(fc.boolean(), { minLength: 10, maxLength: 30 }),
})

const METERS_PER_SECOND = 10
const FAR_METERS = 1000

/** The fixes of visits, and the seconds at which the clean path crosses the border. */
export function playVisits({ stays, interval, precision, noise }: Omit<Visits, 'late'>) {
  const path: number[] = []
  const crossings: number[] = []
  let [at, isOutside] = [FAR_METERS, true]
  for (const stay of stays) {
    for (let second = 0; second < stay; second++) path.push(at)
    const to = isOutside ? 0 : FAR_METERS
    while (at !== to) {
      const next = at + Math.sign(to - at) * Math.min(METERS_PER_SECOND, Math.abs(to - at))
      if (at <= PLACE.radius !== next <= PLACE.radius) crossings.push(path.length)
      at = next
      path.push(at)
    }
    isOutside = !isOutside
  }
  for (let second = 0; second < 300; second++) path.push(at)
  const fixes: Fix[] = []
  let slow = 0
  for (let second = 0; second < path.length; second += interval) {
    const [a, b] = [noise[second % noise.length] ?? 0, noise[(second * 7 + 3) % noise.length] ?? 0]
    slow = 0.9 * slow + (0.1 * b * precision) / 100
    fixes.push(fixAt(second, (path[second] ?? 0) + slow + (a * precision) / 100, precision))
  }
  return { fixes, crossings }
}
