import type { LegacyFeature, LegacyTile } from 'geojson-vt'
import type { Geometry } from '#server/mock/city/city.ts'
import { clipRing } from '#server/mock/city/clip-ring.ts'

/** A tile is drawn on a square of this many units: a quarter of a pixel each, and whole numbers in the SVG. */
export const UNITS = 1024
export const PER_PIXEL = UNITS / 256

export type Point = [x: number, y: number]
export type TileFeature = { layer: string; kind: string; name: string | null; geometry: Geometry; lines: Point[][] }

/** Which part of an index tile is wanted: the one at `column`, `row` when the tile is halved `halvings` times. */
export type Part = { extent: number; halvings: number; column: number; row: number }

/** Half the widest street at the closest zoom, so that no cut edge shows. */
const RIM = 48 * PER_PIXEL
const box = { west: -RIM, north: UNITS + RIM, south: -RIM, east: UNITS + RIM }

/** The features of a tile, or of a part of one when the map is closer than the index goes, moved to `UNITS` and cut. */
export function fitTile(tile: LegacyTile, { extent, halvings, column, row }: Part): TileFeature[] {
  const scale = 2 ** halvings / extent
  const move = ([x, y]: Point): Point => [(x * scale - column) * UNITS, (y * scale - row) * UNITS]
  return tile.features.flatMap((feature) => {
    const geometry = geometries[feature.type]
    const moved = linesOf(feature).map((line) => line.map(move))
    const lines = halvings === 0 ? moved : moved.flatMap((line) => cut(line, geometry))
    const { layer, kind, name } = feature.tags ?? {}
    return lines.length === 0 ? [] : [{ layer: String(layer), kind: String(kind), name: name ? String(name) : null, geometry, lines }]
  })
}

const geometries = { 1: 'point', 2: 'line', 3: 'area' } as const
const linesOf = (feature: LegacyFeature): Point[][] => (feature.type === 1 ? [feature.geometry] : feature.geometry)

function cut(line: Point[], geometry: Geometry): Point[][] {
  if (geometry === 'area') return [clipRing(line, box)].filter((ring) => ring.length > 3)
  if (geometry === 'point') return line.every((point) => meetsBox(point, point)) ? [line] : []
  const runs: Point[][] = []
  let isOn = false
  for (let at = 1; at < line.length; at++) {
    const [from, to] = [line[at - 1]!, line[at]!]
    const meets = meetsBox(from, to)
    if (meets && isOn) runs.at(-1)!.push(to)
    else if (meets) runs.push([from, to])
    isOn = meets
  }
  return runs
}

/** Whether a stretch may pass the box: the rectangle around it does. */
const meetsBox = (a: Point, b: Point) =>
  Math.max(a[0], b[0]) >= box.west &&
  Math.min(a[0], b[0]) <= box.east &&
  Math.max(a[1], b[1]) >= box.south &&
  Math.min(a[1], b[1]) <= box.north
