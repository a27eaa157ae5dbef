import { distanceMeters, type Fix } from './geo.ts'
import { HOUR_MS } from './instant.ts'

/** Speed between two fixes in km/h, not smoothed; 0 when no time passed. */
export const speedKmh = (a: Fix, b: Fix) => {
  const hours = (b.datetime - a.datetime) / HOUR_MS
  return hours > 0 ? distanceMeters(a, b) / 1000 / hours : 0
}

/** The speed in km/h at which each fix was reached; 0 for the first one. */
export const speeds = (fixes: readonly Fix[]): number[] =>
  fixes.map((fix, index) => {
    const before = fixes[index - 1]
    return before ? speedKmh(before, fix) : 0
  })
