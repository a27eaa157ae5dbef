import type { LegacyFeature, LegacyTile } from 'geojson-vt'
import { clipRing, type Geometry } from '#server/mock/city/index.ts'

/** Formats lines as SVG path data in whole units with relative steps; lines smaller than a unit are left out. */
export function formatPath(lines: Point[][], isClosed: boolean): string {
  let data = ''
  let pen: Point = [0, 0]
  for (const line of lines) {
    const points = roundPoints(line)
    const start = points[0]
    if (!start || points.length < 2) continue
    let at = start
    data += `m${pair(at[0] - pen[0], at[1] - pen[1])}l`
    points.slice(1).forEach((point, index) => {
      const step = pair(point[0] - at[0], point[1] - at[1])
      data += index === 0 || step.startsWith('-') ? step : ` ${step}`
      at = point
    })
    pen = isClosed ? start : at
    if (isClosed) data += 'z'
  }
  return data
}

const pair = (x: number, y: number) => (y < 0 ? `${x}${y}` : `${x} ${y}`)

function roundPoints(line: Point[]): Point[] {
  const points: Point[] = []
  for (const [exactX, exactY] of line) {
    const [x, y] = [Math.round(exactX), Math.round(exactY)]
    const last = points.at(-1)
    if (!last || last[0] !== x || last[1] !== y) points.push([x, y])
  }
  return points
}

/** Size of a tile in drawing units: quarter pixels, so that the SVG has whole numbers. */
export const UNITS = 1024
export const PER_PIXEL = UNITS / 256

export type Point = [x: number, y: number]
export type TileFeature = { layer: string; kind: string; name: string | null; geometry: Geometry; lines: Point[][] }

/** Part of an index tile: the one at `column`, `row` after halving the tile `halvings` times. */
export type Part = { extent: number; halvings: number; column: number; row: number }

/** Half the widest street at the closest zoom, so that cut edges stay outside. */
const RIM = 48 * PER_PIXEL
const box = { west: -RIM, north: UNITS + RIM, south: -RIM, east: UNITS + RIM }

/** Returns the features of a tile scaled to `UNITS`. Beyond the deepest zoom of the index, clips them to a part of the tile. */
export function fitTile(tile: LegacyTile, { extent, halvings, column, row }: Part): TileFeature[] {
  const scale = 2 ** halvings / extent
  const move = ([x, y]: Point): Point => [(x * scale - column) * UNITS, (y * scale - row) * UNITS]
  return tile.features.flatMap((feature) => {
    const geometry = geometries[feature.type]
    const moved = featureLines(feature).map((line) => line.map(move))
    const lines = halvings === 0 ? moved : moved.flatMap((line) => clipLine(line, geometry))
    const { layer, kind, name } = feature.tags ?? {}
    return lines.length === 0 ? [] : [{ layer: String(layer), kind: String(kind), name: name ? String(name) : null, geometry, lines }]
  })
}

const geometries = { 1: 'point', 2: 'line', 3: 'area' } as const
const featureLines = (feature: LegacyFeature): Point[][] => (feature.type === 1 ? [feature.geometry] : feature.geometry)

function clipLine(line: Point[], geometry: Geometry): Point[][] {
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

/** Whether the bounding box of a segment touches the box; the segment itself may miss it. */
const meetsBox = (a: Point, b: Point) =>
  Math.max(a[0], b[0]) >= box.west &&
  Math.min(a[0], b[0]) <= box.east &&
  Math.max(a[1], b[1]) >= box.south &&
  Math.min(a[1], b[1]) <= box.north
