import * as z from 'zod/mini'
import { Id, IdParams, Latitude, Longitude, listed } from '#contracts/lib/common.ts'
import { LineErrors } from '#contracts/lib/errors.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, upload } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { PLACE_RADIUS, PLACE_TYPES, parsePlaceType } from '#contracts/rules/geo/place.ts'
import { MAX_SHAPE_RADIUS, SHAPE_LIMITS } from '#contracts/rules/geo/shape.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

export const CSV_MAX_ROWS = 1000
export const CSV_MAX_BYTES = 1_048_576

const ShapePoint = z.tuple([Latitude, Longitude])

/** An area: its corners as latitude and longitude, in order, without repeating the first. Its edges are straight on a Web Mercator map. */
const Polygon = z.object({
  type: z.literal('polygon'),
  points: z.array(ShapePoint).check(z.minLength(SHAPE_LIMITS.polygon.points.min), z.maxLength(SHAPE_LIMITS.polygon.points.max)),
})

/** A way, and `width` metres on each side of it. */
const Corridor = z.object({
  type: z.literal('corridor'),
  points: z.array(ShapePoint).check(z.minLength(SHAPE_LIMITS.corridor.points.min), z.maxLength(SHAPE_LIMITS.corridor.points.max)),
  width: z.int().check(z.minimum(SHAPE_LIMITS.width.min), z.maximum(SHAPE_LIMITS.width.max)),
})

export const PlaceShape = z.discriminatedUnion('type', [Polygon, Corridor])

/**
 * A circle around an address, `radius` in metres, and the trackers it is enabled for. A place with a `shape` is that area or way, and the
 * circle contains it.
 */
export const Place = z.object({
  id: Id,
  name: z.string(),
  address: z.string(),
  type: listed(PLACE_TYPES),
  radius: z.int(),
  devices: z.array(Id),
  lat: Latitude,
  lng: Longitude,
  shape: z.optional(PlaceShape),
})
export type Place = z.infer<typeof Place>

/** One of the place types in any case; `store` means `shop`. */
const TypeName = z.pipe(
  z.string(),
  z.transform((text, { issues, value }) => {
    const type = parsePlaceType(text)
    if (type === null) issues.push({ code: 'invalid_value', values: [...PLACE_TYPES], input: value })
    return type ?? z.NEVER
  }),
)

const fields = {
  name: Text(1, TEXT_LENGTH.placeName),
  address: Text(1, TEXT_LENGTH.address),
  type: TypeName,
  /** At most 10,000 without a shape; the server computes the circle of a shape. */
  radius: z.int().check(z.minimum(PLACE_RADIUS.min), z.maximum(MAX_SHAPE_RADIUS)),
  devices: z.array(Id),
  /** Null for a circle. */
  shape: z.optional(z.nullable(PlaceShape)),
}

/** Without coordinates the place is geocoded from its address. */
const point = { lat: z.optional(Latitude), lng: z.optional(Longitude) }

const isWhole = z.refine<{ lat?: number | undefined; lng?: number | undefined }>(
  ({ lat, lng }) => (lat === undefined) === (lng === undefined),
  {
    path: ['lat'],
    error: 'lat and lng belong together',
  },
)

const NewPlace = z
  .object({ ...fields, ...point, radius: z._default(fields.radius, PLACE_RADIUS.default), devices: z._default(fields.devices, []) })
  .check(
    isWhole,
    z.refine(({ radius, shape }) => shape || radius <= PLACE_RADIUS.max, {
      path: ['radius'],
      error: `Too big: a circle has at most ${PLACE_RADIUS.max} metres`,
    }),
  )

const PlaceChange = z.object({ ...z.partial(z.object(fields)).shape, ...point }).check(isWhole)

export const places = {
  list: {
    method: 'GET',
    path: '/tracker_places/',
    summary: "Lists the places of the account by name; a team member sees of their trackers those of the team's list",
    access: rights.readPlaces,
    scope: 'places:read',
    showsPositions: true,
    response: { 200: z.array(Place) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/tracker_places/',
    summary: 'Creates a place; without lat and lng its address is geocoded, unless it has a shape',
    access: rights.changePlaces,
    scope: 'places:write',
    showsPositions: true,
    body: NewPlace,
    response: { 201: Place },
    errors: ['address_not_found', 'limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  get: {
    method: 'GET',
    path: '/tracker_places/:id/',
    summary: 'Reads one place',
    access: rights.readPlaces,
    scope: 'places:read',
    showsPositions: true,
    params: IdParams,
    response: { 200: Place },
    safety: 'read',
    provenance: 'assumed',
  },
  update: {
    method: 'PATCH',
    path: '/tracker_places/:id/',
    summary: 'Changes a place; a new address of a circle without lat and lng is geocoded, omitted fields keep their value',
    access: rights.changePlaces,
    scope: 'places:write',
    showsPositions: true,
    params: IdParams,
    body: PlaceChange,
    response: { 200: Place },
    errors: ['address_not_found'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/tracker_places/:id/',
    summary: 'Removes a place and its alerts',
    access: rights.changePlaces,
    scope: 'places:write',
    params: IdParams,
    response: { 200: z.object({ id: Id, deleted_alerts: z.array(Id) }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
  importCsv: {
    method: 'POST',
    path: '/tracker_places/import_csv/',
    summary:
      'Creates the places of a csv with the columns name, address and type, and perhaps border (WKT) and meters; reports the errors of each bad row',
    access: rights.changePlaces,
    scope: 'places:write',
    showsPositions: true,
    costly: true,
    body: upload('text/csv', CSV_MAX_BYTES),
    response: { 200: z.object({ created: z.array(Place), errors: z.array(LineErrors) }) },
    errors: ['csv_header', 'too_many_rows', 'no_good_row', 'limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
