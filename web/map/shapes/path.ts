import { type LatLng, unwrap } from '#contracts/rules/geo/coordinates.ts'

/** A line on the map, its degrees as columns. */
export type Path = { length: number; lat: ArrayLike<number>; lng: ArrayLike<number> }

export const toPath = (points: readonly LatLng[]): Path => ({
  length: points.length,
  lat: Float64Array.from(points, ({ lat }) => lat),
  lng: Float64Array.from(points, ({ lng }) => lng),
})

/** Number of points that represent a long path when the map is fitted to it. */
const OUTLINE = 500

/** Up to 500 points of a path, including those farthest north, east, south and west. */
export function outlineOf({ length, lat, lng }: Path, first = 0, last = length - 1): LatLng[] {
  const middle = lng[first] ?? 0
  const at = (index: number) => ({ lat: lat[index] ?? 0, lng: unwrap(lng[index] ?? 0, middle) })
  const step = Math.max(1, Math.ceil((last - first + 1) / OUTLINE))
  const extremes = [first, first, first, first] as [number, number, number, number]
  const points: LatLng[] = []
  for (let index = first; index <= last; index++) {
    if (at(index).lat > at(extremes[0]).lat) extremes[0] = index
    if (at(index).lng > at(extremes[1]).lng) extremes[1] = index
    if (at(index).lat < at(extremes[2]).lat) extremes[2] = index
    if (at(index).lng < at(extremes[3]).lng) extremes[3] = index
    if ((index - first) % step === 0) points.push(at(index))
  }
  return step === 1 ? points : [...points, ...extremes.map(at)]
}
