import { type Geofence, PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import type { Shape } from '#contracts/rules/geo/shape.ts'
import type { DbReader } from '#db/db.ts'
import { fromFixed7, toFixed7 } from '#db/positions.ts'
import type { Viewer } from '#db/scope.ts'
import { encloseNewShape } from '#server/alerts/shapes.ts'
import { Failure } from '#server/lib/errors.ts'
import { listVisiblePlaces, type PlaceRow } from './places.store.ts'

export type Border = Pick<PlaceRow, 'lat' | 'lng' | 'radius' | 'shape'>

/** The borders of the places that a viewer may see. */
export async function listBorders(db: DbReader, viewer: Viewer): Promise<Geofence[]> {
  const found = await listVisiblePlaces(db, viewer)
  return found.map(({ place: { lat, lng, radius, shape } }) => ({ lat: fromFixed7(lat), lng: fromFixed7(lng), radius, shape }))
}

/** A new shape and its circle as stored. Throws `validation_error` if the shape is refused. */
export function toColumns(given: Shape): Border {
  const { lat, lng, radius, shape } = encloseNewShape(given)
  return { lat: toFixed7(lat), lng: toFixed7(lng), radius: Math.max(PLACE_RADIUS.min, radius), shape }
}

const CIRCLE = ['lat', 'lng', 'radius'] as const

/**
 * The place with the border that a change asks for: a new shape, a circle (`null`), or the shape that it has (undefined). A place keeps its
 * shape if a client that does not know shapes sends the circle back as it read it. Another circle would lose the shape, so it is refused.
 */
export function changeBorder(changed: PlaceRow, before: PlaceRow, shape: Border | null | undefined): PlaceRow {
  if (shape) return { ...changed, ...shape }
  const isCircle = shape === null || before.shape === null
  if (isCircle && changed.radius > PLACE_RADIUS.max) {
    if (changed.radius !== before.radius) throw new Failure('validation_error', { errors: { radius: [TOO_BIG] } })
    return { ...changed, shape: null, radius: PLACE_RADIUS.max }
  }
  if (isCircle) return { ...changed, shape: null }
  const others = CIRCLE.filter((field) => changed[field] !== before[field])
  if (others.length === 0) return changed
  throw new Failure('validation_error', { errors: Object.fromEntries(others.map((field) => [field, [HAS_SHAPE]])) })
}

const TOO_BIG = `Too big: a circle has at most ${PLACE_RADIUS.max} metres`
const HAS_SHAPE = 'The place has a shape: send another one, or null as shape to make it a circle'

/** Whether the sides on which trackers were known to be no longer count. */
export const hasOtherBorder = (a: Border, b: Border) =>
  CIRCLE.some((field) => a[field] !== b[field]) || JSON.stringify(a.shape) !== JSON.stringify(b.shape)
