import type { Layer, Position, Shape } from '#server/mock/city/city.ts'
import { simplify } from '#server/mock/city/geometry.ts'
import {
  computeDistances,
  drawLine,
  emptyMask,
  fillRings,
  fromCell,
  GRID_HEIGHT,
  GRID_WIDTH,
  type Mask,
  RIM,
  traceContours,
} from './grid.ts'
import type { OsmFeature } from './read-tiles.ts'

/** In cells of 15.7 m: gaps up to twice CLOSED_CELLS wide count as land, and the shore runs SHORE_CELLS beyond the last street or house. */
const CLOSED_CELLS = 12
const SHORE_CELLS = 2
/** Cells further inland than this on the world map are land even without streets. */
const INLAND_CELLS = 110
/** Width of the band along the block's border in which the coast blends into that of the world map. */
const BLEND_CELLS = 64

/**
 * Builds the land under the city. The data has no coastline, so land is where streets, houses and used areas are, and the gaps between
 * them; the rest of the south is the Río de la Plata. At the block's border the shore meets the coast of `world`.
 */
export function buildCoast(features: OsmFeature[], shapes: Map<Layer, Shape[]>, world: Position[][]): Shape[] {
  const outside = emptyMask()
  fillRings(outside, world)
  const offshore = computeDistances(outside, 1)
  const inland = computeDistances(outside, 0)

  const seeds = emptyMask()
  for (const { tags, lines } of features) if (tags['addr:street']) for (const line of lines) drawLine(seeds, line)
  for (const { lines } of shapes.get('road') ?? []) for (const line of lines) drawLine(seeds, line)
  for (const layer of ['use', 'green', 'building'] as const) for (const { lines } of shapes.get(layer) ?? []) fillRings(seeds, lines)
  for (let cell = 0; cell < seeds.length; cell++) if (inland[cell]! > INLAND_CELLS) seeds[cell] = 1

  const fromSea = computeDistances(floodSea(computeDistances(seeds, 1)), 1)
  const beaches = computeBeachField(shapes)
  const field = new Float32Array(seeds.length)
  for (let row = 0; row < GRID_HEIGHT; row++) {
    for (let column = 0; column < GRID_WIDTH; column++) {
      const cell = row * GRID_WIDTH + column
      const rim = Math.min(column, row, GRID_WIDTH - 1 - column, GRID_HEIGHT - 1 - row) - RIM
      const share = Math.min(1, Math.max(0, rim / BLEND_CELLS))
      const here = Math.max(fromSea[cell]! - (CLOSED_CELLS - SHORE_CELLS), beaches[cell]!)
      field[cell] = here * share + (inland[cell]! - offshore[cell]!) * (1 - share)
    }
  }
  const rings = traceContours(field).filter((ring) => ring.length > 12)
  const lines = rings.map((ring) => simplify(ring, 0.25).map(([x, y]) => fromCell(x, y)))
  return [{ kind: 'coast', name: null, geometry: 'area', lines }]
}

/** The cells further than CLOSED_CELLS from any seed that are connected to the grid's southern edge. */
function floodSea(fromSeeds: Float32Array): Mask {
  const sea = emptyMask()
  const open = Array.from({ length: GRID_WIDTH }, (_, column) => (GRID_HEIGHT - 1) * GRID_WIDTH + column)
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    if (sea[cell] || fromSeeds[cell]! <= CLOSED_CELLS) continue
    sea[cell] = 1
    const column = cell % GRID_WIDTH
    if (column > 0) open.push(cell - 1)
    if (column < GRID_WIDTH - 1) open.push(cell + 1)
    if (cell >= GRID_WIDTH) open.push(cell - GRID_WIDTH)
    if (cell < GRID_WIDTH * (GRID_HEIGHT - 1)) open.push(cell + GRID_WIDTH)
  }
  return sea
}

/** Positive on beaches, whose seaward side is the true shore. */
function computeBeachField(shapes: Map<Layer, Shape[]>) {
  const mask = emptyMask()
  for (const { lines } of shapes.get('sand') ?? []) fillRings(mask, lines)
  const within = computeDistances(mask, 0)
  const without = computeDistances(mask, 1)
  return within.map((depth, cell) => (depth > 0 ? depth - 0.5 : 0.5 - without[cell]!))
}
