import type { LatLng } from '#contracts/rules/geo/coordinates.ts'

/** Returns the address nearest to a point, null when there is none within 400 m, and undefined while it is still being looked up. */
export type FindNearestAddress = (point: LatLng) => { label: string } | null | undefined

/** Address book of a server without a geocoder. */
export const findNoAddress: FindNearestAddress = () => null

/** About eleven metres: finer than the precision of a fix. */
export const CELLS_PER_DEGREE = 1e4
const CELLS_AROUND = 361 * CELLS_PER_DEGREE
const LIMIT = 50_000

const known = new WeakMap<FindNearestAddress, Map<number, string | null>>()

/**
 * The address shown for a position everywhere: the one nearest to the middle of the point's cell, or null. It is looked up once per cell,
 * because a tracker passes the same places every day, and does not depend on which point of the cell was looked up first.
 */
export function addressOf(nearest: FindNearestAddress, point: LatLng) {
  if (nearest === findNoAddress) return null
  const cells = known.get(nearest) ?? new Map<number, string | null>()
  known.set(nearest, cells)
  const cell = findCell(point)
  const found = cells.get(cell)
  if (found !== undefined) return found
  const [north, east] = [Math.round(point.lat * CELLS_PER_DEGREE), Math.round(point.lng * CELLS_PER_DEGREE)]
  const address = nearest({ lat: north / CELLS_PER_DEGREE, lng: east / CELLS_PER_DEGREE })
  if (address === undefined) return null
  if (cells.size >= LIMIT) cells.clear()
  const label = address?.label ?? null
  cells.set(cell, label)
  return label
}

/** The cell of a point: all points of a cell have the same address. */
export const findCell = ({ lat, lng }: LatLng) => Math.round(lat * CELLS_PER_DEGREE) * CELLS_AROUND + Math.round(lng * CELLS_PER_DEGREE)
