import type { LatLng } from '#db/city/city.ts'
import type { Geocoder } from '#server/lib/world.ts'

/** About eleven metres: finer than what a fix is worth. */
const CELLS_PER_DEGREE = 1e4
const CELLS_AROUND = 361 * CELLS_PER_DEGREE
const LIMIT = 50_000

const known = new WeakMap<Geocoder['nearest'], Map<number, string | null>>()

/** The address nearest to a point, or null; looked up once per cell, because a tracker's days pass the same doors. */
export function addressOf(nearest: Geocoder['nearest'], { lat, lng }: LatLng) {
  const cells = known.get(nearest) ?? new Map<number, string | null>()
  known.set(nearest, cells)
  const cell = Math.round(lat * CELLS_PER_DEGREE) * CELLS_AROUND + Math.round(lng * CELLS_PER_DEGREE)
  const found = cells.get(cell)
  if (found !== undefined) return found
  if (cells.size >= LIMIT) cells.clear()
  const label = nearest({ lat, lng })?.label ?? null
  cells.set(cell, label)
  return label
}
