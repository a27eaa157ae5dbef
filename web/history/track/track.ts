import type { Place } from '#contracts/places.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { bearingDegrees, distanceMeters, type Fix, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { speeds } from '#contracts/rules/tracking/motion.ts'
import { type Leg, splitIntoLegs } from '#contracts/rules/tracking/trips.ts'
import { toFixes } from '#web/trackers/day.ts'
import type { Bounds } from './period.ts'

/** Movement in each of `count` equal parts of a period, scaled so that the busiest part is 1. */
export function computeActivity({ fixes, legs }: Track, { start, end }: Bounds, count: number): number[] {
  const width = (end - start) / count
  const bars = Array.from({ length: count }, () => 0)
  const spread = (from: number, to: number, meters: number) => {
    const last = Math.min(count - 1, Math.floor((to - start) / width))
    for (let bar = Math.max(0, Math.floor((from - start) / width)); bar <= last; bar++) {
      const within = Math.min(to, start + (bar + 1) * width) - Math.max(from, start + bar * width)
      bars[bar] = (bars[bar] ?? 0) + (to > from ? (meters * within) / (to - from) : 0)
    }
  }
  for (const { kind, first, last } of legs) {
    if (kind !== 'trip') continue
    for (let index = first; index < last; index++) {
      const [a, b] = [fixes[index], fixes[index + 1]]
      if (a && b) spread(a.datetime, b.datetime, distanceMeters(a, b))
    }
  }
  const most = Math.max(...bars)
  return most > 0 ? bars.map((meters) => meters / most) : bars
}

type Stay = { place: Place | null; ms: number }

/** Time stopped at each place and elsewhere (`place` null), longest first. */
export function timeAtPlaces({ fixes, legs }: Track, places: readonly Place[]): Stay[] {
  const stays = new Map<Place | null, number>()
  for (const { kind, first, durationMs } of legs) {
    if (kind !== 'stop') continue
    const place = findContainingPlace(places, fixes[first]) ?? null
    stays.set(place, (stays.get(place) ?? 0) + durationMs)
  }
  return [...stays].map(([place, ms]) => ({ place, ms })).sort((a, b) => b.ms - a.ms)
}

/** A history prepared for drawing and replay. Arrays are indexed by fix. */
export type Track = {
  points: readonly HistoryPoint[]
  fixes: readonly Fix[]
  legs: readonly Leg[]
  /** Speed with which each fix was reached; 0 for drift while stopped. */
  kmh: readonly number[]
  battery: readonly (number | null)[]
  topKmh: number
}

export function buildTrack(points: readonly HistoryPoint[]): Track {
  const fixes = toFixes(points)
  const legs = splitIntoLegs(fixes)
  const kmh = computeSpeeds(fixes, legs)
  return {
    points,
    fixes,
    legs,
    kmh,
    battery: carryForward(points.map(({ battery }) => battery)),
    topKmh: Math.ceil(Math.max(1, ...tops(legs))),
  }
}

const tops = (legs: readonly Leg[]) => legs.map(({ topSpeedKmh }) => topSpeedKmh)

function computeSpeeds(fixes: readonly Fix[], legs: readonly Leg[]) {
  const raw = speeds(fixes)
  const kmh = fixes.map(() => 0)
  for (const { kind, first, last, topSpeedKmh } of legs)
    if (kind === 'trip') for (let index = first + 1; index <= last; index++) kmh[index] = Math.min(raw[index] ?? 0, topSpeedKmh)
  return kmh
}

const carryForward = (values: readonly (number | null)[]) => {
  let known: number | null = null
  return values.map((value) => {
    known = value ?? known
    return known
  })
}

/** First and last instant in ms; null without any fix. */
export const trackSpan = ({ fixes }: Track) => {
  const [first, last] = [fixes[0], fixes.at(-1)]
  return first && last ? { first: first.datetime, last: last.datetime } : null
}

export const clampTime = (track: Track, time: number) => {
  const span = trackSpan(track)
  return span ? Math.max(span.first, Math.min(span.last, time)) : time
}

/** Index of the last fix at or before `time`; 0 before the first. */
export function findFixIndex(fixes: readonly Fix[], time: number): number {
  let [low, high] = [0, fixes.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((fixes[middle]?.datetime ?? 0) <= time) low = middle
    else high = middle - 1
  }
  return low
}

export const findLeg = (legs: readonly Leg[], time: number) => legs.findLastIndex(({ start }) => start <= time)

type Moment = LatLng & { kmh: number; battery: number | null; heading: number | null }

/** Position, speed, heading and battery interpolated at `time`. During a gap the tracker stays where the signal was lost. */
export function interpolateMoment(track: Track, time: number): Moment | null {
  const index = findFixIndex(track.fixes, time)
  const [from, to] = [track.fixes[index], track.fixes[index + 1]]
  if (!from) return null
  const battery = track.battery[index] ?? null
  const leg = track.legs[findLeg(track.legs, time)]?.kind
  if (!to || leg === 'gap' || time <= from.datetime)
    return { lat: from.lat, lng: from.lng, kmh: track.kmh[index] ?? 0, battery, heading: null }
  const share = (time - from.datetime) / (to.datetime - from.datetime)
  const between = (a: number, b: number) => a + (b - a) * share
  const kmh = track.kmh[index + 1] ?? 0
  const heading = leg === 'trip' && kmh > 0 ? bearingDegrees(from, to) : null
  return { lat: between(from.lat, to.lat), lng: between(from.lng, to.lng), kmh, battery, heading }
}
