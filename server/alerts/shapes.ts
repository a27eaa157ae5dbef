import { LRUCache } from 'lru-cache'
import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import { SHAPE_LIMITS, type Shape } from '#contracts/rules/geo/shape.ts'
import { findShapeFault, MAX_LATITUDE, MIN_INNER_RADIUS, type ShapeFault, tidyShape } from '#contracts/rules/geo/shape-faults.ts'
import { invalidField } from '#server/lib/errors.ts'

/** At most 12 kB of text each. */
const shapes = new LRUCache<string, Shape>({ max: 2000 })

/** Parses a stored shape. The same text gives the same object, by which the rules know what they have computed of a shape. */
export function readShape(text: string | null): Shape | null {
  if (text === null) return null
  const known = shapes.get(text)
  if (known) return known
  const shape: Shape = JSON.parse(text)
  shapes.set(text, shape)
  return shape
}

/** Tidies a shape of a request and draws the circle around it. Throws `validation_error` if it is refused. */
export function encloseNewShape(given: Shape): Geofence & { shape: Shape } {
  const shape = tidyShape(given)
  const fault = findShapeFault(shape)
  if (fault) throw invalidField('shape.points', explainFault(fault, shape))
  return { ...encloseShape(shape), shape }
}

function explainFault(fault: ShapeFault, { type }: Shape): string {
  const { points, extent } = SHAPE_LIMITS[type]
  switch (fault.reason) {
    case 'few_points':
      return `Too few: at least ${points.min} points that differ`
    case 'too_far_north':
      return `Too far north or south: maps end at ${MAX_LATITUDE} degrees`
    case 'too_large':
      return `Too large: at most ${extent / 1000} km from end to end`
    case 'too_narrow':
      return `Too narrow: nowhere ${2 * MIN_INNER_RADIUS} metres wide`
    case 'crossing':
      return `Edges ${fault.edges.join(' and ')} cross or touch`
  }
}
