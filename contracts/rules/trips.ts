import { distanceMeters, type Fix } from './geo.ts'
import { HOUR_MS } from './instant.ts'
import { STANDING_RADIUS_METERS } from './standing.ts'
import { findStops, type Stop } from './stops.ts'
import { type Way, wayAlong } from './way.ts'

/**
 * A part of a history, from fix number `first` to fix number `last`; `start` and `end` in ms since 1970 UTC, `meters` along the fixes. A
 * gap has the distance between its ends and no speed.
 */
export type Leg = {
  kind: 'stop' | 'trip' | 'gap'
  first: number
  last: number
  start: number
  end: number
  durationMs: number
} & Way

/** A tracker silent for longer was off: even a standing one reports every 4 hours. */
const GAP_MS = 6 * HOUR_MS

/**
 * Splits a history ordered by time into stops, trips between them and gaps. Drift while standing counts neither as distance nor as speed.
 */
export const legsOf = (fixes: readonly Fix[]): Leg[] => {
  const legs: Leg[] = []
  let first = 0
  for (let next = 1; next <= fixes.length; next++) {
    const [a, b] = [fixes[next - 1], fixes[next]]
    if (a && b && b.datetime - a.datetime <= GAP_MS) continue
    legs.push(...legsWithin(fixes, first, next - 1))
    if (a && b) legs.push(leg('gap', fixes, next - 1, next, { meters: distanceMeters(a, b), topSpeedKmh: 0 }))
    first = next
  }
  return legs
}

const legsWithin = (fixes: readonly Fix[], first: number, last: number): Leg[] => {
  const stops = findStops(fixes.slice(first, last + 1)).map((stop) => ({ ...stop, first: first + stop.first, last: first + stop.last }))
  const legs = stops.flatMap((stop, index) => [
    ...trip(fixes, stops[index - 1]?.last ?? first, stop.first, stops[index - 1], stop),
    leg('stop', fixes, stop.first, stop.last, { meters: 0, topSpeedKmh: 0 }),
  ])
  const lastStop = stops.at(-1)
  return [...legs, ...trip(fixes, lastStop?.last ?? first, last, lastStop, undefined)]
}

/** The trip between two stops, from centre to centre; none if it never went farther than a standing tracker drifts. */
const trip = (fixes: readonly Fix[], first: number, last: number, from: Stop | undefined, to: Stop | undefined): Leg[] => {
  const points = fixes.slice(first, last + 1)
  const ends = points.map((fix, index) => {
    const stop = index === 0 ? from : index === points.length - 1 ? to : undefined
    return stop ? { ...fix, lat: stop.lat, lng: stop.lng, precision: 0 } : fix
  })
  const way = wayAlong(ends)
  return way.meters < STANDING_RADIUS_METERS ? [] : [leg('trip', fixes, first, last, way)]
}

const leg = (kind: Leg['kind'], fixes: readonly Fix[], first: number, last: number, way: Way): Leg => {
  const [start, end] = [fixes[first]?.datetime ?? 0, fixes[last]?.datetime ?? 0]
  return { kind, first, last, start, end, durationMs: end - start, ...way }
}
