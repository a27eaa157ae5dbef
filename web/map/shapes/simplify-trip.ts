import type { ShapePoint } from '#contracts/rules/geo/shape.ts'
import type { Path } from './path.ts'
import { simplifyPath } from './simplify.ts'

/** Points of a way that are still easy to edit by hand. */
const MOST_POINTS = 100
/** A pixel of this zoom is about as wide as a fix is precise. */
const FINEST_ZOOM = 15

/** The line of a trip by few points, none of them far from where the tracker went. */
export function simplifyTrip({ lat, lng }: Path, first: number, last: number): ShapePoint[] {
  for (let zoom = FINEST_ZOOM; ; zoom--) {
    const { index } = simplifyPath({ length: lat.length, lat, lng }, first, last, zoom)
    if (index.length <= MOST_POINTS || zoom === 0) return Array.from(index, (at): ShapePoint => [lat[at] ?? 0, lng[at] ?? 0])
  }
}
