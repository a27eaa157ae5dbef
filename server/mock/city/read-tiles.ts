import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Geometry, Position } from './city.ts'
import { latOfRow, lngOfColumn } from './frame.ts'
import { joinPieces } from './join-pieces.ts'

export type Raw = { id: number; geometry: Geometry; tags: Record<string, string>; lines: Position[][] }

/** The only tags that are read, which leaves out contributors' names and change sets. */
const wanted = [
  'name highway oneway access foot junction tunnel service building waterway natural leisure landuse place railway aeroway amenity man_made',
  'addr:street addr:housenumber',
].flatMap((words) => words.split(' '))
const geometries = { 1: 'point', 2: 'line', 3: 'area' } as const
const folder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@mapbox/mvt-fixtures/package.json')), 'real-world/osm-qa-montevideo')

/** Reads the features of the eight tiles, one per OpenStreetMap object, ordered by id. */
export function readTiles(): Raw[] {
  const files = readdirSync(folder()).filter((name) => name.endsWith('.mvt'))
  return joinPieces(files.sort().flatMap((file) => readTile(join(folder(), file))))
}

function readTile(file: string): Raw[] {
  const [, column = 0, row = 0] = basename(file, '.mvt').split('-').map(Number)
  const layer = new VectorTile(new PbfReader(readFileSync(file))).layers.osm
  if (!layer) throw new Error(`${file} holds no layer "osm"`)
  const features: Raw[] = []
  for (let index = 0; index < layer.length; index++) {
    const raw = readFeature(layer.feature(index), column, row)
    if (raw) features.push(raw)
  }
  return features
}

function readFeature(feature: VectorTileFeature, column: number, row: number): Raw | null {
  const geometry = feature.type === 0 ? null : geometries[feature.type]
  const tags: Raw['tags'] = {}
  for (const key of wanted) if (feature.properties[key] !== undefined) tags[key] = String(feature.properties[key])
  if (!geometry || (geometry === 'point' ? !(tags['addr:street'] || tags.place) : Object.keys(tags).length === 0)) return null
  const lines = feature
    .loadGeometry()
    .map((line) =>
      line.map(({ x, y }): Position => [round(lngOfColumn(column + x / feature.extent)), round(latOfRow(row + y / feature.extent))]),
    )
  return { id: Number(feature.properties['@id']), geometry, tags, lines }
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
