import type { Place } from '#contracts/places.ts'
import { bearingDegrees, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { type Line, measurePeriod, NO_BORDERS } from '#contracts/rules/history/borders.ts'
import { type FixColumns, fixAt } from '#contracts/rules/history/fixes.ts'
import type { Leg } from '#contracts/rules/history/trips.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Bounds } from '#web/lib/period.ts'
import { createTimeSliced } from '#web/lib/time-slices.ts'
import { separateWrong } from '#web/trackers/trace/wrong-positions.ts'
import { courseBetween, heightAt, heightBetween, speedAt } from './measured.ts'

/** A history prepared for drawing and replay. Columns are indexed by fix. */
export type Track = {
  /** Every position with its mark, including those that look wrong. */
  all: PositionColumns
  /** The fixes that are drawn and counted. */
  positions: PositionColumns
  /** The fixes that look wrong, with their marks, in order of time. */
  wrong: PositionColumns
  legs: readonly Leg[]
  /** The line that is drawn and replayed: the fixes, and the tracker's position at the start and the end of the period. */
  line: Line
  /** Smoothed speed with which each fix was reached; 0 for drift while stopped. */
  kmh: Float64Array
  /** The last reported level; NaN before the first. */
  battery: Float64Array
  /** The highest speed of a trip, at least 1. */
  topKmh: number
  /** The upper end of the colour scale: 98 % of the moving fixes are slower, so that a single jump does not make the rest one colour. */
  scaleKmh: number
}

/** The track of a history, prepared step by step and only once. */
export const trackOf = createTimeSliced(prepareTrack)

export function* prepareTrack(positions: PositionColumns): Work<Track> {
  const { all, good, wrong } = yield* separateWrong(positions)
  const { legs, line } = yield* measurePeriod(good, positions.borders ?? NO_BORDERS)
  const kmh = line.kmh.subarray(line.before, line.before + good.length)
  const top = legs.reduce((most, { topSpeedKmh }) => Math.max(most, topSpeedKmh), 1)
  yield
  const scaleKmh = Math.ceil(Math.max(1, percentile98(kmh)))
  return { all, positions: good, wrong, legs, line, kmh, battery: carryForward(good.battery), topKmh: Math.ceil(top), scaleKmh }
}

/** A sample of this size is enough to estimate the 98th percentile of the speeds. */
const SAMPLES = 10_000

function percentile98(kmh: Float64Array) {
  const step = Math.max(1, Math.floor(kmh.length / SAMPLES))
  const moving = kmh.filter((speed, index) => speed > 0 && index % step === 0).sort()
  return moving[Math.floor(moving.length * 0.98)] ?? 0
}

function carryForward(levels: Float64Array) {
  let known = Number.NaN
  return levels.map((level) => {
    known = Number.isNaN(level) ? known : level
    return known
  })
}

/** Movement in each of `count` equal parts of a period, scaled so that the busiest part is 1. */
export function computeActivity({ line: { path, meters } }: Track, { start, end }: Bounds, count: number): number[] {
  const { datetime } = path
  const width = (end - start) / count
  const bars = Array.from({ length: count }, () => 0)
  for (let index = 1; index < meters.length; index++) {
    const [moved, from, to] = [meters[index] ?? 0, datetime[index - 1] ?? 0, datetime[index] ?? 0]
    if (moved === 0 || to <= from) continue
    const last = Math.min(count - 1, Math.floor((to - start) / width))
    for (let bar = Math.max(0, Math.floor((from - start) / width)); bar <= last; bar++) {
      const within = Math.min(to, start + (bar + 1) * width) - Math.max(from, start + bar * width)
      bars[bar] = (bars[bar] ?? 0) + (moved * within) / (to - from)
    }
  }
  const most = Math.max(...bars)
  return most > 0 ? bars.map((sum) => sum / most) : bars
}

type Stay = { place: Place | null; ms: number }

/** Time stopped at each place and elsewhere (`place` null), longest first. */
export function timeAtPlaces({ positions, legs }: Track, places: readonly Place[]): Stay[] {
  const stays = new Map<Place | null, number>()
  for (const { kind, first, durationMs } of legs) {
    if (kind !== 'stop') continue
    const place = findContainingPlace(places, fixAt(positions, first)) ?? null
    stays.set(place, (stays.get(place) ?? 0) + durationMs)
  }
  return [...stays].map(([place, ms]) => ({ place, ms })).sort((a, b) => b.ms - a.ms)
}

/** First and last instant in ms; null without any fix. */
export const trackSpan = ({ line: { path } }: Track) =>
  path.length > 0 ? { first: path.datetime[0] ?? 0, last: path.datetime[path.length - 1] ?? 0 } : null

export const clampTime = (track: Track, time: number) => {
  const span = trackSpan(track)
  return span ? Math.max(span.first, Math.min(span.last, time)) : time
}

/** Index of the last fix at or before `time`; 0 before the first. */
export function findFixIndex({ length, datetime }: FixColumns, time: number): number {
  let [low, high] = [0, length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((datetime[middle] ?? 0) <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** The first and the last point of a leg on the line of its track. */
export const findEnds = ({ line: { path } }: Track, { start, end }: Leg) => ({
  first: findFixIndex(path, start),
  last: findFixIndex(path, end),
})

export const findLeg = (legs: readonly Leg[], time: number) => legs.findLastIndex(({ start }) => start <= time)

/** `height` in metres, null where unknown. */
type Moment = LatLng & { kmh: number; height: number | null; battery: number | null; heading: number | null }

/** The battery level known at a fix; null before the first report. */
export const levelAt = ({ battery }: Track, index: number): number | null => {
  const level = battery[index] ?? Number.NaN
  return Number.isNaN(level) ? null : level
}

/** Position, speed, heading and battery interpolated at `time`. During a gap the tracker stays where the signal was lost. */
export function interpolateMoment(track: Track, time: number): Moment | null {
  const { positions, legs, line } = track
  if (positions.length === 0) return null
  const at = findFixIndex(line.path, time)
  const [from, to] = [fixAt(line.path, at), fixAt(line.path, at + 1)]
  const index = Math.min(Math.max(0, at - line.before), positions.length - 1)
  const battery = levelAt(track, index)
  const leg = legs[findLeg(legs, time)]?.kind
  if (at + 1 >= line.path.length || leg === 'gap' || time <= from.datetime)
    return { lat: from.lat, lng: from.lng, kmh: speedAt(track, index), height: heightAt(positions, index), battery, heading: null }
  const share = (time - from.datetime) / (to.datetime - from.datetime)
  const between = (a: number, b: number) => a + (b - a) * share
  const next = at + 1 - line.before
  const isBorder = at < line.before || next >= positions.length
  const speed = isBorder ? (line.kmh[at + 1] ?? 0) : speedAt(track, next)
  const height = heightBetween(positions, index, time)
  const heading =
    leg === 'trip' && speed > 0 ? ((isBorder ? null : courseBetween(positions, index, share)) ?? bearingDegrees(from, to)) : null
  return { lat: between(from.lat, to.lat), lng: between(from.lng, to.lng), kmh: speed, height, battery, heading }
}
