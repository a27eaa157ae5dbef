export type LatLng = { lat: number; lng: number }

/** `label` reads as a postal address: "Rambla República de Chile 4507, Malvín". */
export type Address = LatLng & { label: string; street: string; number: string; neighbourhood: string | null }

/** A polyline along streets. `metres` of a point is its distance from the start, `metres` of the route its length. */
export type Route = { points: { lat: number; lng: number; metres: number }[]; metres: number }

/** `foot` may use footways and park paths, `wheels` only roads open to cars, in their direction. */
export type RoadUser = 'foot' | 'wheels'

export type City = {
  bounds: { south: number; west: number; north: number; east: number }
  center: LatLng
  /**
   * Finds addresses by free text, best match first. Ignores accents and case; understands "street number", a street alone (its middle
   * house) and a neighbourhood as a filter. `limit` defaults to 8.
   */
  search(text: string, limit?: number): Address[]
  /** The nearest address within 400 m, else null. Takes less than 0.1 ms. */
  nearest(point: LatLng): Address | null
  /** The route between the nodes nearest to both points; `wheels` prefers main roads. Null when they are not connected. */
  route(from: LatLng, to: LatLng, by: RoadUser): Route | null
  /** The nearest point of the street network; `route` can reach every other point from it. */
  snap(point: LatLng, by: RoadUser): LatLng
  shapes(layer: Layer): Shape[]
}

export const LAYERS = [
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
export type Layer = (typeof LAYERS)[number]

/** Longitude and latitude in degrees. */
export type Position = [number, number]

export type Geometry = 'point' | 'line' | 'area'

/**
 * One object on the map. The lines of an area are its rings, outer and inner alike (filled by the even-odd rule); a point has one line with
 * one position. `kind` is the class within the layer, such as `residential` or `park`.
 */
export type Shape = { kind: string; name: string | null; geometry: Geometry; lines: Position[][] }
