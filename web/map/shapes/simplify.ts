import { unwrap } from '#contracts/rules/geo/coordinates.ts'
import type { Path } from './path.ts'

/** World pixels at a zoom level per unit of these coordinates: fine enough to be smooth, and 32 bits hold two worlds side by side. */
export const FRACTION = 8
const FINEST_ZOOM = 19
const TILE = 256
/** A line that continues around the earth starts over here, in degrees. */
const FARTHEST = 500

/** A path simplified for a zoom: the kept points in eighths of a world pixel, and their indexes in the path. */
export type Level = { zoom: number; x: Int32Array; y: Int32Array; index: Uint32Array }

/** Points are kept if the line would otherwise be this far off, in eighths of a pixel. */
const TOLERANCE = 0.75 * FRACTION
/** Points that are simplified together; the ends of each block are kept. Bounds the time, which can grow with the square of a block. */
const BLOCK = 1024

/** Simplifies points `first` to `last` of a path for a zoom (Douglas-Peucker). */
export function simplifyPath({ lat, lng }: Path, first: number, last: number, atZoom: number): Level {
  const zoom = Math.min(FINEST_ZOOM, Math.max(0, Math.round(atZoom)))
  const size = TILE * FRACTION * 2 ** zoom
  const count = last - first + 1
  const [x, y, isKept] = [new Int32Array(count), new Int32Array(count), new Uint8Array(count)]
  let meridian = lng[first] ?? 0
  for (let index = 0; index < count; index++) {
    const next = unwrap(lng[first + index] ?? 0, meridian)
    meridian = Math.abs(next) > FARTHEST ? (lng[first + index] ?? 0) : next
    x[index] = ((meridian + 180) / 360) * size
    y[index] = mercator(lat[first + index] ?? 0) * size
  }
  for (let start = 0; start < count; start += BLOCK) keepShape(x, y, isKept, start, Math.min(count - 1, start + BLOCK))
  const kept = isKept.reduce((sum, each) => sum + each, 0)
  const level: Level = { zoom, x: new Int32Array(kept), y: new Int32Array(kept), index: new Uint32Array(kept) }
  for (let index = 0, to = 0; index < count; index++) {
    if (!isKept[index]) continue
    level.x[to] = x[index] ?? 0
    level.y[to] = y[index] ?? 0
    level.index[to++] = first + index
  }
  return level
}

/** From 0 in the north to 1 in the south (spherical Mercator, as Leaflet's). */
export function mercator(lat: number) {
  const sine = Math.sin((Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

const MAX_LATITUDE = 85.0511287798

/** Marks the points between two indexes without which the line would be off by more than the tolerance, and both ends. */
function keepShape(x: Int32Array, y: Int32Array, isKept: Uint8Array, start: number, end: number) {
  isKept[start] = 1
  isKept[end] = 1
  const waiting = [start, end]
  while (waiting.length > 0) {
    const [to = 0, from = 0] = [waiting.pop(), waiting.pop()]
    const farthest = findFarthest(x, y, from, to)
    if (farthest === undefined) continue
    isKept[farthest] = 1
    waiting.push(from, farthest, farthest, to)
  }
}

/** Index of the point farthest from the segment between two points; undefined if none is beyond the tolerance. */
function findFarthest(x: Int32Array, y: Int32Array, from: number, to: number): number | undefined {
  const [x0, y0] = [x[from] ?? 0, y[from] ?? 0]
  const [dx, dy] = [(x[to] ?? 0) - x0, (y[to] ?? 0) - y0]
  const square = dx * dx + dy * dy
  let most = TOLERANCE * TOLERANCE
  let farthest: number | undefined
  for (let index = from + 1; index < to; index++) {
    const [px, py] = [(x[index] ?? 0) - x0, (y[index] ?? 0) - y0]
    const share = square > 0 ? Math.max(0, Math.min(1, (px * dx + py * dy) / square)) : 0
    const [ox, oy] = [px - share * dx, py - share * dy]
    const distance = ox * ox + oy * oy
    if (distance <= most) continue
    most = distance
    farthest = index
  }
  return farthest
}
