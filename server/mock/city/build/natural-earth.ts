import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { Position, Shape } from '#server/mock/city/city.ts'
import { REGION_BOUNDS } from '#server/mock/city/frame.ts'
import { clipRing } from '#server/mock/city/geometry.ts'

type Topology = Parameters<typeof mesh>[0]
type Part = NonNullable<Parameters<typeof mesh>[1]>
type Atlas = Topology & { objects: { land: Part; countries: Part } }

/** Reads Natural Earth's land, `coarse` (1:110 m) and `fine` (1:50 m), the borders between countries and their names. */
export function readWorld(): Shape[] {
  const coarse = readLand('110m').map((lines) => buildArea('coarse', lines))
  const fine = readLand('50m').map((lines) => buildArea('fine', lines))
  const atlas = readAtlas('countries-50m')
  const borders: MultiLineString = mesh(atlas, atlas.objects.countries, (a, b) => a !== b)
  const border: Shape = { kind: 'border', name: null, geometry: 'line', lines: borders.coordinates.map(toPositions) }
  return [...coarse, ...fine, border, ...countryNames(atlas)]
}

/** Reads the land around the city (1:10 m), cut off at `REGION_BOUNDS`. */
export function readRegion(): Shape[] {
  return readLand('10m').flatMap((rings) => {
    const lines = rings.map((ring) => clipRing(ring, REGION_BOUNDS)).filter((ring) => ring.length > 3)
    return lines.length > 0 ? [buildArea('region', lines)] : []
  })
}

const buildArea = (kind: string, lines: Position[][]): Shape => ({ kind, name: null, geometry: 'area', lines })

function readLand(scale: string): Position[][][] {
  const atlas = readAtlas(`land-${scale}`)
  return listFeatures(atlas, atlas.objects.land).flatMap(({ geometry }) => listPolygons(geometry))
}

function countryNames(atlas: Atlas): Shape[] {
  return listFeatures(atlas, atlas.objects.countries).flatMap(({ geometry, properties }) => {
    const largest = listPolygons(geometry)
      .map((rings) => measureRing(rings[0]!))
      .sort((a, b) => b.size - a.size)[0]
    return largest
      ? [{ kind: largest.size > 150 ? 'large' : 'small', name: properties.name ?? null, geometry: 'point', lines: [[largest.centre]] }]
      : []
  })
}

function listPolygons(geometry: { type: string }): Position[][][] {
  if (isPolygon(geometry)) return [geometry.coordinates.map(unwrapRing)]
  return isMultiPolygon(geometry) ? geometry.coordinates.map((rings) => rings.map(unwrapRing)) : []
}

const isPolygon = (geometry: { type: string }): geometry is Polygon => geometry.type === 'Polygon'
const isMultiPolygon = (geometry: { type: string }): geometry is MultiPolygon => geometry.type === 'MultiPolygon'
const toPositions = (line: number[][]): Position[] => line.map(([lng = 0, lat = 0]) => [lng, lat])

/** Unwraps a ring at the antimeridian: a jump from 180 to -180 degrees would be drawn across the whole map. */
function unwrapRing(line: number[][]): Position[] {
  let turns = 0
  const ring = toPositions(line).map(([lng, lat], index, all): Position => {
    const step = lng - (all[index - 1] ?? all[0]!)[0]
    if (Math.abs(step) > 180) turns -= Math.sign(step) * 360
    return [lng + turns, lat]
  })
  const [first, last] = [ring[0]!, ring.at(-1)!]
  // A ring around the pole does not return to its start; it is closed along the pole.
  return last[0] === first[0] ? ring : [...ring, [last[0], -90], [first[0], -90], first]
}

function measureRing(ring: Position[]): { size: number; centre: Position } {
  const lngs = ring.map(([lng]) => lng).sort((a, b) => a - b)
  const lats = ring.map(([, lat]) => lat).sort((a, b) => a - b)
  const [west, east, south, north] = [lngs[0]!, lngs.at(-1)!, lats[0]!, lats.at(-1)!]
  return { size: (east - west) * (north - south), centre: [(west + east) / 2, (south + north) / 2] }
}

function readAtlas(name: string): Atlas {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`world-atlas/${name}.json`), 'utf8'))
}

function listFeatures(atlas: Atlas, object: Part) {
  const found = feature<{ name?: string }>(atlas, object)
  return found.type === 'FeatureCollection' ? found.features : [found]
}
