import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { City, RoadUser } from '#server/mock/city/city.ts'
import { interpolate, metresBetween, metreVector, offsetBy } from './plane.ts'

/** `air` flies rounds over one base, without streets. */
export type TravelMode = RoadUser | 'air'

/** Plans a path from door to door along the streets. Throws when the city has no route between the two. */
export function planStreetPath(city: City, from: LatLng, to: LatLng, by: RoadUser): LatLng[] {
  const [start, end] = [city.snap(from, by), city.snap(to, by)]
  const route = city.route(start, end, by)
  if (!route) throw new Error(`No way from ${from.lat}, ${from.lng} to ${to.lat}, ${to.lng}`)
  const ahead = joined(start, route.points)
  return [from, ...joined(end, [...ahead].reverse()).reverse(), to]
}

const NEAR_METRES = 3
const SEARCH_METRES = 250

/** Starts a route at `door` where it passes it, because routes begin at a crossing, which may mean doubling back. */
function joined(door: LatLng, points: LatLng[]): LatLng[] {
  let metres = 0
  for (const [index, point] of points.entries()) {
    const next = points[index + 1]
    if (!next || metres > SEARCH_METRES) break
    if (metresBetween(door, nearestOn(point, next, door)) < NEAR_METRES) return [door, ...points.slice(index + 1)]
    metres += metresBetween(point, next)
  }
  return [door, ...points]
}

function nearestOn(from: LatLng, to: LatLng, point: LatLng) {
  const [line, offset] = [metreVector(from, to), metreVector(from, point)]
  const square = line.east ** 2 + line.north ** 2
  const share = square === 0 ? 0 : (line.east * offset.east + line.north * offset.north) / square
  return interpolate(from, to, Math.min(1, Math.max(0, share)))
}

const ROUNDS = 3
const STEPS = 36

/** Plans rounds through `base`, each slightly wider; `far` is the point of the first round opposite to it. */
export function planFlightPath(base: LatLng, far: LatLng): LatLng[] {
  const { east, north } = metreVector(base, far)
  return Array.from({ length: ROUNDS * STEPS + 1 }, (_, step) => {
    const size = 0.5 * (1 + (0.12 * Math.floor(step / STEPS)) / ROUNDS)
    const angle = (step / STEPS) * 2 * Math.PI
    const [along, across] = [size * (1 - Math.cos(angle)), size * 0.7 * Math.sin(angle)]
    return offsetBy(base, along * east - across * north, along * north + across * east)
  })
}
