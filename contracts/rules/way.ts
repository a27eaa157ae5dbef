import { distanceMeters, type Fix } from './geo.ts'
import { speedKmh } from './speeds.ts'

export type Way = { meters: number; topSpeedKmh: number }

/** Metres and top speed (km/h) along fixes; a move smaller than the precision of its fix does not count. */
export const wayAlong = (points: readonly Fix[]): Way => {
  let [meters, topSpeedKmh, at] = [0, 0, points[0]]
  for (const fix of points) {
    if (!at || distanceMeters(at, fix) < fix.precision) continue
    meters += distanceMeters(at, fix)
    topSpeedKmh = Math.max(topSpeedKmh, speedKmh(at, fix))
    at = fix
  }
  return { meters, topSpeedKmh }
}
