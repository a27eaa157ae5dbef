import type { Feature, Geometry as GeoJsonGeometry } from 'geojson'
import GeoJSONVT from 'geojson-vt'
import { type City, LAYERS, type Position, type Shape } from '#server/mock/city/city.ts'
import { fitTile, type TileFeature } from './fit-tile.ts'

/** Returns the features of a tile in its units (`UNITS`), at any zoom. */
export type Source = (z: number, x: number, y: number) => TileFeature[]

/** Fine enough that a tile three zooms below the deepest one still has 16 steps per pixel. */
const EXTENT = 32_768
/** How far features reach over the edge of a tile, in pixels: half the widest street, so that no edges show. */
const BUFFER = 14

type Tagged = { layer: string; shape: Shape }

export const createCitySource = (city: City): Source => {
  const drawn = LAYERS.filter((layer) => layer !== 'world' && layer !== 'region')
  const tagged = drawn.flatMap((layer) => city.shapes(layer).map((shape): Tagged => ({ layer, shape })))
  return createSource([...tagged, ...namePark(city.shapes('green'))], 16)
}

/** Land and borders of the world by `scale`, as in the layer `world`; with `region`, the finer land around the city. */
export const createWorldSource = (city: City, kinds: string[]): Source => {
  const shapes = [...city.shapes('world'), ...city.shapes('region')].filter(({ kind }) => kinds.includes(kind))
  return createSource(
    shapes.map((shape) => ({ layer: shape.geometry === 'point' ? 'country' : shape.kind, shape })),
    8,
  )
}

function createSource(tagged: Tagged[], deepest: number): Source {
  const features = tagged.map(({ layer, shape }): Feature => {
    return { type: 'Feature', properties: { layer, kind: shape.kind, name: shape.name }, geometry: toGeoJson(shape) }
  })
  const index = new GeoJSONVT(
    { type: 'FeatureCollection', features },
    { maxZoom: deepest, indexMaxZoom: 4, extent: EXTENT, buffer: (BUFFER / 256) * EXTENT, tolerance: (0.3 / 256) * EXTENT },
  )
  return (z, x, y) => {
    const halvings = Math.max(0, z - deepest)
    const tile = index.getTile(z - halvings, x >> halvings, y >> halvings)
    const within = 2 ** halvings - 1
    return tile ? fitTile(tile, { extent: EXTENT, halvings, column: x & within, row: y & within }) : []
  }
}

const toGeoJson = ({ geometry, lines }: Shape): GeoJsonGeometry => {
  if (geometry === 'point') return { type: 'Point', coordinates: lines[0]![0]! }
  return geometry === 'line' ? { type: 'MultiLineString', coordinates: lines } : { type: 'Polygon', coordinates: lines }
}

/** Names parks and squares once each, in the middle of their largest ring, however tiles cut it. */
function namePark(greens: Shape[]): Tagged[] {
  const largest = new Map<string, { width: number; centre: Position }>()
  for (const { kind, name, lines } of greens) {
    if (!name || kind === 'pitch') continue
    for (const box of lines.map(measureRing)) if (box.width > (largest.get(name)?.width ?? 0)) largest.set(name, box)
  }
  return [...largest].map(([name, { width, centre }]) => {
    const kind = width > PARK_WIDTHS.large ? 'large' : width > PARK_WIDTHS.middle ? 'middle' : 'small'
    return { layer: 'parkName', shape: { kind, name, geometry: 'point', lines: [[centre]] } }
  })
}

/** Degrees of longitude: 500 m and 150 m. */
const PARK_WIDTHS = { large: 0.0055, middle: 0.0016 }

function measureRing(ring: Position[]): { width: number; centre: Position } {
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)]
  return { width: east - west, centre: [(west + east) / 2, (south + north) / 2] }
}
