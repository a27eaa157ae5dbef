export type LatLng = { lat: number; lng: number }

/** A house. `label` reads as a postal address: "Rambla República de Chile 4507, Malvín". */
export type Address = LatLng & { label: string; street: string; number: string; neighbourhood: string | null }

/** A polyline along streets; `metres` of a point is counted from the start, `metres` of the route is its length. */
export type Route = { points: { lat: number; lng: number; metres: number }[]; metres: number }

/** Who travels: `foot` may use footways and park paths, `wheels` only roads for cars in their direction. */
export type By = 'foot' | 'wheels'

export type City = {
  bounds: { south: number; west: number; north: number; east: number }
  center: LatLng
  /**
   * Addresses matching free text, best first. Accents and case do not matter; "street number", "street" alone (then its
   * middle house) and a neighbourhood as a filter are understood. Nothing found is an empty list. `limit` is 8 by default.
   */
  search(text: string, limit?: number): Address[]
  /** The nearest address within 400 m, else null. Takes less than 0.1 ms. */
  nearest(point: LatLng): Address | null
  /** The way on the streets between the nodes nearest to both points, main roads preferred by wheels; null when not connected. */
  route(from: LatLng, to: LatLng, by: By): Route | null
  /** Nearest point on the street network; always a place from which `route` leads everywhere. */
  snap(point: LatLng, by: By): LatLng
  /** What a map draws. Read from disk when first asked for. */
  shapes(layer: Layer): Shape[]
}

export const layers = [
  'world',
  'region',
  'land',
  'use',
  'green',
  'sand',
  'water',
  'building',
  'stream',
  'rail',
  'pier',
  'road',
  'place',
] as const
export type Layer = (typeof layers)[number]

/** Longitude, latitude in degrees. */
export type Position = [number, number]

export type Geometry = 'point' | 'line' | 'area'

/**
 * One thing on the map. An area's lines are its rings, outer and inner alike (fill by the even-odd rule); a point has one
 * line of one position. `kind` is the class within the layer, such as `residential` or `park`.
 */
export type Shape = { kind: string; name: string | null; geometry: Geometry; lines: Position[][] }
