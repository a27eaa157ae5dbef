import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildAddressBook } from './address-book.ts'
import { layers } from './city.ts'
import { classify } from './classify.ts'
import { buildCoast } from './coast.ts'
import { fromPlane } from './frame.ts'
import { LAYOUT, type Summary } from './open.ts'
import { writePack } from './pack.ts'
import { readTiles } from './read-tiles.ts'
import { buildRoadGraph } from './road-graph.ts'
import { writeShapes } from './shapes.ts'
import { readRegion, readWorld } from './world.ts'

/**
 * Builds the demo city's files in `outDir` from the OpenStreetMap tiles of @mapbox/mvt-fixtures and Natural Earth's land. The same input
 * gives the same bytes. Takes a few seconds; `openCity` reads the result.
 */
export async function buildCity(outDir: string): Promise<void> {
  mkdirSync(outDir, { recursive: true })
  rmSync(join(outDir, 'city.json'), { force: true })
  const features = readTiles()
  const shapes = classify(features)
  const book = buildAddressBook(features, shapes.get('place') ?? [])
  writePack(join(outDir, 'addresses.bin'), book.columns, book.notes)
  const roads = buildRoadGraph(features)
  writePack(join(outDir, 'roads.bin'), roads, null)
  const region = readRegion()
  const coast = buildCoast(
    features,
    shapes,
    region.flatMap(({ lines }) => lines),
  )
  shapes.set('land', [...coast, ...(shapes.get('land') ?? [])])
  shapes.set('region', region)
  shapes.set('world', readWorld())
  for (const layer of layers) writeShapes(outDir, layer, shapes.get(layer) ?? [])

  const summary: Summary = {
    layout: LAYOUT,
    center: fromPlane(median(book.columns.x), median(book.columns.y)),
    houses: book.columns.x.length,
    streets: book.notes.streets.length,
    edges: roads.from.length,
  }
  writeFileSync(join(outDir, 'city.json'), `${JSON.stringify(summary, null, 2)}\n`)
}

const median = (values: Float32Array) => values.slice().sort()[values.length >> 1] ?? 0
