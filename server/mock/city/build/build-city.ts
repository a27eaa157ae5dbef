import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAYERS } from '#server/mock/city/city.ts'
import { type CitySummary, LAYOUT_VERSION, writePack, writeShapes } from '#server/mock/city/city-files.ts'
import { fromPlane } from '#server/mock/city/frame.ts'
import { buildAddressBook } from './address-book.ts'
import { classifyFeatures } from './classify.ts'
import { buildCoast } from './coast.ts'
import { readRegion, readWorld } from './natural-earth.ts'
import { readTiles } from './read-tiles.ts'
import { buildRoadGraph } from './road-graph.ts'

/**
 * Builds the demo city's files in `outDir` from the OpenStreetMap tiles of @mapbox/mvt-fixtures and Natural Earth's land. The same input
 * gives the same bytes. Takes a few seconds; `openCity` reads the result.
 */
export async function buildCity(outDir: string): Promise<void> {
  mkdirSync(outDir, { recursive: true })
  rmSync(join(outDir, 'city.json'), { force: true })
  const features = readTiles()
  const shapes = classifyFeatures(features)
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
  for (const layer of LAYERS) writeShapes(outDir, layer, shapes.get(layer) ?? [])

  const summary: CitySummary = {
    layout: LAYOUT_VERSION,
    center: fromPlane(median(book.columns.x), median(book.columns.y)),
    houses: book.columns.x.length,
    streets: book.notes.streets.length,
    edges: roads.from.length,
  }
  writeFileSync(join(outDir, 'city.json'), `${JSON.stringify(summary, null, 2)}\n`)
}

const median = (values: Float32Array) => values.slice().sort()[values.length >> 1] ?? 0
