import { distanceBetween } from '#contracts/rules/geo/coordinates.ts'
import type { Work } from '#contracts/rules/work.ts'
import { createFixColumns, type FixColumns } from './fixes.ts'

/** Fixes without most of their noise. Longitudes continue beyond ±180° instead of starting again; `cosine` is the cosine of the latitude. */
export type Path = FixColumns & { cosine: Float64Array }

/** Fixes between two pauses. */
export const PAUSE = 1024

/** A fix is compared with two neighbours on each side and averaged with up to ten, all within 30 seconds. */
const MOST_NEIGHBOURS = 10
const NEIGHBOUR_MS = 30_000
/** Averaging ends where the neighbours are farther apart than noise explains. */
const NOISE_PRECISIONS = 2.5
/** A median cuts corners, so it is applied to fast fixes only if one of them is a spike. */
const FAST_PRECISIONS = 5
/** The way over a spike is this much longer than the direct way; on a glider's circle the factor is 1.1. */
const SPIKE_FACTOR = 1.5

/** Replaces spikes by the median of five, then averages neighbours that lie within the noise of the fix. */
export function* smoothFixes(fixes: FixColumns): Work<Path> {
  const raw = yield* unwrap(fixes)
  const level = copyOf(raw)
  const [lat, lng] = [new Float64Array(5), new Float64Array(5)]
  for (let index = 1; index < raw.length - 1; index++) {
    if (index % PAUSE === 0) yield
    const reach = isNear(raw, index, 1) ? (isNear(raw, index, 2) ? 2 : 1) : 0
    if (reach === 0 || !needsMedian(raw, index)) continue
    for (let offset = -reach; offset <= reach; offset++) {
      lat[offset + reach] = raw.lat[index + offset] ?? 0
      lng[offset + reach] = raw.lng[index + offset] ?? 0
    }
    level.lat[index] = medianOf(lat, 2 * reach + 1)
    level.lng[index] = medianOf(lng, 2 * reach + 1)
  }
  const smooth = copyOf(level)
  for (let index = 1; index < level.length - 1; index++) {
    if (index % PAUSE === 0) yield
    let [sumLat, sumLng, count] = [level.lat[index] ?? 0, level.lng[index] ?? 0, 1]
    const noise = NOISE_PRECISIONS * (level.precision[index] ?? 0)
    for (let offset = 1; offset <= MOST_NEIGHBOURS && isNear(level, index, offset); offset++) {
      const [a, b] = [index - offset, index + offset]
      if (metersBetween(level, a, b) > noise) break
      sumLat += (level.lat[a] ?? 0) + (level.lat[b] ?? 0)
      sumLng += (level.lng[a] ?? 0) + (level.lng[b] ?? 0)
      count += 2
    }
    smooth.lat[index] = sumLat / count
    smooth.lng[index] = sumLng / count
  }
  return smooth
}

function* unwrap(fixes: FixColumns): Work<Path> {
  const { length, datetime, precision } = fixes
  const path = {
    ...createFixColumns(0),
    length,
    datetime,
    precision,
    lat: fixes.lat.slice(),
    lng: fixes.lng.slice(),
    cosine: new Float64Array(length),
  }
  for (let index = 0, lng = fixes.lng[0] ?? 0; index < length; index++) {
    if (index % PAUSE === 0) yield
    path.cosine[index] = Math.cos(((fixes.lat[index] ?? 0) * Math.PI) / 180)
    const east = (fixes.lng[index] ?? 0) - lng
    lng += east > 180 ? east - 360 : east < -180 ? east + 360 : east
    path.lng[index] = lng
  }
  return path
}

const copyOf = (path: Path): Path => ({ ...path, lat: path.lat.slice(), lng: path.lng.slice() })

/** Whether the fix has `offset` neighbours on both sides within the time for smoothing. */
const isNear = (path: Path, index: number, offset: number) =>
  index >= offset && index + offset < path.length && timeAt(path, index + offset) - timeAt(path, index - offset) <= NEIGHBOUR_MS

function needsMedian(path: Path, index: number): boolean {
  const past = metersBetween(path, index - 1, index + 1)
  if (past <= FAST_PRECISIONS * (path.precision[index] ?? 0)) return true
  return metersBetween(path, index - 1, index) + metersBetween(path, index, index + 1) >= SPIKE_FACTOR * past
}

/** The median of the first `count` values, which it sorts. */
function medianOf(values: Float64Array, count: number): number {
  for (let index = 1; index < count; index++) {
    const value = values[index] ?? 0
    let at = index
    for (; at > 0 && (values[at - 1] ?? 0) > value; at--) values[at] = values[at - 1] ?? 0
    values[at] = value
  }
  return values[count >> 1] ?? 0
}

const METERS_PER_DEGREE = 111_195.08
/** Farther apart, the curvature of the earth matters. */
const FLAT_DEGREES = 0.2

/** Metres between two fixes. */
export const metersBetween = (path: Path, a: number, b: number) => metersFrom(path, a, path.lat[b] ?? 0, path.lng[b] ?? 0)

/** Metres from a fix to a point whose longitude may be beyond ±180°. */
export function metersFrom({ lat, lng, cosine }: Path, index: number, toLat: number, toLng: number): number {
  const [north, east] = [toLat - (lat[index] ?? 0), toLng - (lng[index] ?? 0)]
  if (Math.abs(north) > FLAT_DEGREES || Math.abs(east) > FLAT_DEGREES)
    return distanceBetween(lat[index] ?? 0, lng[index] ?? 0, toLat, toLng)
  const flat = east * (cosine[index] ?? 0)
  return Math.sqrt(north * north + flat * flat) * METERS_PER_DEGREE
}

export const timeAt = ({ datetime }: FixColumns, index: number) => datetime[index] ?? 0

export const msBetween = (path: FixColumns, first: number, last: number) => timeAt(path, last) - timeAt(path, first)
