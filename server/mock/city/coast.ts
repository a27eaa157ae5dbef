import type { Layer, Position, Shape } from './city.ts'
import { contour } from './contour.ts'
import { distanceTo } from './distance.ts'
import { drawLine, emptyMask, fillRings, fromCell, height, type Mask, RIM, width } from './grid.ts'
import type { Raw } from './read-tiles.ts'
import { simplify } from './simplify.ts'

/** In cells of 15.7 m: gaps up to twice CLOSED wide count as land, and the shore runs SHORE beyond the last street or house. */
const CLOSED = 12
const SHORE = 2
/** Cells further inland than this on the world map are land even without streets. */
const INLAND = 110
/** Width of the band along the block's border in which the coast blends into that of the world map. */
const BLEND = 64

/**
 * Builds the land under the city. The data has no coastline, so land is where streets, houses and used areas are, and the gaps between
 * them; the rest of the south is the Río de la Plata. At the block's border the shore meets the coast of `world`.
 */
export function buildCoast(features: Raw[], shapes: Map<Layer, Shape[]>, world: Position[][]): Shape[] {
  const outside = emptyMask()
  fillRings(outside, world)
  const offshore = distanceTo(outside, 1)
  const inland = distanceTo(outside, 0)

  const seeds = emptyMask()
  for (const { tags, lines } of features) if (tags['addr:street']) for (const line of lines) drawLine(seeds, line)
  for (const { lines } of shapes.get('road') ?? []) for (const line of lines) drawLine(seeds, line)
  for (const layer of ['use', 'green', 'building'] as const) for (const { lines } of shapes.get(layer) ?? []) fillRings(seeds, lines)
  for (let cell = 0; cell < seeds.length; cell++) if (inland[cell]! > INLAND) seeds[cell] = 1

  const fromSea = distanceTo(openSea(distanceTo(seeds, 1)), 1)
  const beaches = beachField(shapes)
  const field = new Float32Array(seeds.length)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = row * width + column
      const rim = Math.min(column, row, width - 1 - column, height - 1 - row) - RIM
      const share = Math.min(1, Math.max(0, rim / BLEND))
      const here = Math.max(fromSea[cell]! - (CLOSED - SHORE), beaches[cell]!)
      field[cell] = here * share + (inland[cell]! - offshore[cell]!) * (1 - share)
    }
  }
  const rings = contour(field).filter((ring) => ring.length > 12)
  const lines = rings.map((ring) => simplify(ring, 0.25).map(([x, y]) => fromCell(x, y)))
  return [{ kind: 'coast', name: null, geometry: 'area', lines }]
}

/** The cells further than CLOSED from any seed that are connected to the grid's southern edge. */
function openSea(fromSeeds: Float32Array): Mask {
  const sea = emptyMask()
  const open = Array.from({ length: width }, (_, column) => (height - 1) * width + column)
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    if (sea[cell] || fromSeeds[cell]! <= CLOSED) continue
    sea[cell] = 1
    const column = cell % width
    if (column > 0) open.push(cell - 1)
    if (column < width - 1) open.push(cell + 1)
    if (cell >= width) open.push(cell - width)
    if (cell < width * (height - 1)) open.push(cell + width)
  }
  return sea
}

/** Positive on beaches, whose seaward side is the true shore. */
function beachField(shapes: Map<Layer, Shape[]>) {
  const mask = emptyMask()
  for (const { lines } of shapes.get('sand') ?? []) fillRings(mask, lines)
  const within = distanceTo(mask, 0)
  const without = distanceTo(mask, 1)
  return within.map((depth, cell) => (depth > 0 ? depth - 0.5 : 0.5 - without[cell]!))
}
