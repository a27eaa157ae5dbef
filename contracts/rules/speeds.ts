import { distanceMeters, type Fix } from './geo.ts'
import { HOUR_MS } from './instant.ts'

/** Kilometres per hour between two fixes, not smoothed; 0 when no time passed. */
export const speedKmh = (a: Fix, b: Fix) => {
  const hours = (b.datetime - a.datetime) / HOUR_MS
  return hours > 0 ? distanceMeters(a, b) / 1000 / hours : 0
}

/** The speed with which each fix was reached, km/h; the first one by standing still. */
export const speeds = (fixes: readonly Fix[]): number[] =>
  fixes.map((fix, index) => {
    const before = fixes[index - 1]
    return before ? speedKmh(before, fix) : 0
  })
