import type { LegacyFeature, LegacyTile } from 'geojson-vt'
import type { Geometry } from '#db/city/city.ts'
import { clipRing } from '#db/city/clip-ring.ts'

/** A tile is drawn on a square of this many units: a quarter of a pixel each, and whole numbers in the SVG. */
export const UNITS = 1024
export const PER_PIXEL = UNITS / 256

export type Point = [x: number, y: number]
export type TileFeature = { layer: string; kind: string; name: string | null; geometry: Geometry; lines: Point[][] }

/** Which part of an index tile is meant: `scale` from its units to shares of the wanted tile, `column` and `row` in it. */
type Part = { scale: number; column: number; row: number }

/** The features of a tile, or of a part of one when the map is closer than the index goes, moved to `UNITS` and cut. */
export function fitTile(tile: LegacyTile, part: Part, buffer: number): TileFeature[] {
  const rim = buffer * PER_PIXEL * Math.max(1, part.scale * 4096)
  const box = { west: -rim, north: UNITS + rim, south: -rim, east: UNITS + rim }
  const isPart = part.scale * 32_768 > 1
  const move = ([x, y]: Point): Point => [(x * part.scale - part.column) * UNITS, (y * part.scale - part.row) * UNITS]
  return tile.features.flatMap((feature) => {
    const moved = linesOf(feature).map((line) => line.map(move))
    const geometry = geometries[feature.type]
    const lines = isPart ? moved.flatMap((line) => cut(line, geometry, box)) : moved
    const { layer, kind, name } = feature.tags ?? {}
    return lines.length === 0 ? [] : [{ layer: String(layer), kind: String(kind), name: name ? String(name) : null, geometry, lines }]
  })
}

const geometries = { 1: 'point', 2: 'line', 3: 'area' } as const
const linesOf = (feature: LegacyFeature): Point[][] => (feature.type === 1 ? [feature.geometry] : feature.geometry)

type Box = { south: number; west: number; north: number; east: number }

function cut(line: Point[], geometry: Geometry, box: Box): Point[][] {
  if (geometry === 'area') return [clipRing(line, box)].filter((ring) => ring.length > 3)
  if (geometry === 'point') return line.every((point) => touches([point], box)) ? [line] : []
  const runs: Point[][] = []
  let run: Point[] = []
  line.forEach((point, index) => {
    const before = line[index - 1]
    if (!before) return
    if (touches([before, point], box)) {
      if (run.length === 0) runs.push((run = [before]))
      run.push(point)
    } else run = []
  })
  return runs
}

function touches(points: Point[], { west, east, south, north }: Box) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return Math.max(...xs) >= west && Math.min(...xs) <= east && Math.max(...ys) >= south && Math.min(...ys) <= north
}
