import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Geometry, Position } from '#server/mock/city/city.ts'
import { latOfRow, lngOfColumn } from '#server/mock/city/frame.ts'

/** Each tile rounds its own coordinates, so the ends of a cut line differ by up to this many degrees (0.5 m). */
const GAP_DEGREES = 5e-6

/**
 * Returns one feature per OpenStreetMap object: drops points duplicated at a tile border, joins lines cut there, and adds the pieces of an
 * area as further rings. Ordered by geometry and id.
 */
export function joinPieces(pieces: OsmFeature[]): OsmFeature[] {
  const whole = new Map<string, OsmFeature>()
  for (const piece of pieces) {
    const key = `${piece.geometry} ${piece.id}`
    const known = whole.get(key)
    if (!known) whole.set(key, { ...piece, lines: [...piece.lines] })
    else if (piece.geometry !== 'point') known.lines.push(...piece.lines)
  }
  const features = [...whole.values()]
  for (const feature of features) if (feature.geometry === 'line') feature.lines = joinLines(feature.lines)
  return features.sort((a, b) => a.geometry.localeCompare(b.geometry, 'en') || a.id - b.id)
}

export function joinLines(lines: Position[][]): Position[][] {
  const rest = lines.filter((line) => line.length > 1)
  for (let first = 0; first < rest.length; first++) {
    const second = rest.findIndex((line, index) => index !== first && areTouching(rest[first]!.at(-1), line[0]))
    if (second < 0) continue
    rest[first] = [...rest[first]!, ...rest[second]!.slice(1)]
    rest.splice(second, 1)
    first = -1
  }
  return rest
}

const areTouching = (a: Position | undefined, b: Position | undefined) =>
  a !== undefined && b !== undefined && Math.abs(a[0] - b[0]) <= GAP_DEGREES && Math.abs(a[1] - b[1]) <= GAP_DEGREES

export type OsmFeature = { id: number; geometry: Geometry; tags: Record<string, string>; lines: Position[][] }

/** The only tags that are read; contributors' names and change sets are ignored. */
const TAGS = [
  'name highway oneway access foot junction tunnel service building waterway natural leisure landuse place railway aeroway amenity man_made',
  'addr:street addr:housenumber',
].flatMap((words) => words.split(' '))
const GEOMETRIES = { 1: 'point', 2: 'line', 3: 'area' } as const
const tileFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@mapbox/mvt-fixtures/package.json')), 'real-world/osm-qa-montevideo')

/** Reads the features of the eight tiles, one per OpenStreetMap object, ordered by id. */
export function readTiles(): OsmFeature[] {
  const files = readdirSync(tileFolder()).filter((name) => name.endsWith('.mvt'))
  return joinPieces(files.sort().flatMap((file) => readTile(join(tileFolder(), file))))
}

function readTile(file: string): OsmFeature[] {
  const [, column = 0, row = 0] = basename(file, '.mvt').split('-').map(Number)
  const layer = new VectorTile(new PbfReader(readFileSync(file))).layers.osm
  if (!layer) throw new Error(`${file} holds no layer "osm"`)
  const features: OsmFeature[] = []
  for (let index = 0; index < layer.length; index++) {
    const raw = readFeature(layer.feature(index), column, row)
    if (raw) features.push(raw)
  }
  return features
}

function readFeature(feature: VectorTileFeature, column: number, row: number): OsmFeature | null {
  const geometry = feature.type === 0 ? null : GEOMETRIES[feature.type]
  const tags: OsmFeature['tags'] = {}
  for (const key of TAGS) if (feature.properties[key] !== undefined) tags[key] = String(feature.properties[key])
  if (!geometry || (geometry === 'point' ? !(tags['addr:street'] || tags.place) : Object.keys(tags).length === 0)) return null
  const lines = feature
    .loadGeometry()
    .map((line) =>
      line.map(({ x, y }): Position => [round(lngOfColumn(column + x / feature.extent)), round(latOfRow(row + y / feature.extent))]),
    )
  return { id: Number(feature.properties['@id']), geometry, tags, lines }
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
