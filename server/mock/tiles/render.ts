import type { Feature, Geometry as GeoJsonGeometry } from 'geojson'
import GeoJSONVT from 'geojson-vt'
import { LRUCache } from 'lru-cache'
import { type City, LAYERS, type Position, type Shape } from '#server/mock/city/index.ts'
import type { MapSource } from '#server/ports/world.ts'
import { drawCityLand, drawLabels, drawMap } from './draw-map.ts'
import { cityFrame, drawLand, fadeOut, overlap, paintSea, regionFrame } from './draw-world.ts'
import { fitTile, PER_PIXEL, type TileFeature, UNITS } from './fit-tile.ts'
import { createLabelRoom } from './label-room.ts'
import { labelPlaces, labelStreets } from './labels.ts'
import { palettes, type Theme } from './style.ts'

/** Returns the features of a tile in its units (`UNITS`), at any zoom. */
type Source = (z: number, x: number, y: number) => TileFeature[]

/** Fine enough that a tile three zooms below the deepest one still has 16 steps per pixel. */
const EXTENT = 32_768
/** How far features extend beyond the edge of a tile, in pixels: half the widest street, so that no edges show. */
const BUFFER = 14

type Tagged = { layer: string; shape: Shape }

const createCitySource = (city: City): Source => {
  const drawn = LAYERS.filter((layer) => layer !== 'world' && layer !== 'region')
  const tagged = drawn.flatMap((layer) => city.shapes(layer).map((shape): Tagged => ({ layer, shape })))
  return createSource([...tagged, ...namePark(city.shapes('green'))], 16)
}

/** Land and borders of the world by `scale`, as in the layer `world`; with `region`, the finer land around the city. */
const createWorldSource = (city: City, kinds: string[]): Source => {
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

/** Labels parks and squares once each, in the middle of their largest ring, however tiles cut it. */
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

export type Tiles = {
  /** Draws a tile of 256 pixels as an SVG document. `z` from 0 to `MAX_ZOOM`, `x` and `y` within the range of the zoom. */
  render(z: number, x: number, y: number, theme: Theme): string
}

export const MAX_ZOOM = 19
const MAX_CACHED_TILES = 800
/** First zooms at which the finer land around the city, and the city itself, are drawn. */
const REGION_FROM = 6
const CITY_FROM = 7

/** Draws the demo city and a plain world around it, with a cache of recent tiles. */
export function createTiles(city: City): Tiles {
  const kept = new LRUCache<string, string>({ max: MAX_CACHED_TILES })
  const sources = new Map<string, Source>()
  const sourceOf = (name: string, create: () => Source): Source => {
    const source = sources.get(name) ?? create()
    sources.set(name, source)
    return source
  }
  const streets = () => sourceOf('city', () => createCitySource(city))
  const coarse = () => sourceOf('coarse', () => createWorldSource(city, ['coarse', 'border', 'large', 'small']))
  const fine = () => sourceOf('fine', () => createWorldSource(city, ['fine', 'border', 'large', 'small']))
  const region = () => sourceOf('region', () => createWorldSource(city, ['region', 'border']))

  function draw(z: number, x: number, y: number, theme: Theme): string {
    const palette = palettes[theme]
    const tile = { z, x, y }
    const inCity = z < CITY_FROM ? 'none' : overlap(cityFrame, tile)
    const inRegion = z < REGION_FROM ? 'none' : overlap(regionFrame, tile)
    const world = inCity === 'all' ? [] : (z < 3 ? coarse() : fine())(z, x, y)
    const local = inCity === 'none' ? [] : streets()(z, x, y)
    const room = createLabelRoom(3 * PER_PIXEL)
    const places = labelPlaces([...world, ...local], z, room)
    const parts = [
      `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 ${UNITS} ${UNITS}">`,
      `<path fill="${palette.sea}" d="M-8-8h1040v1040h-1040z"/>`,
      inRegion === 'all' ? '' : drawLand(world, palette),
      inRegion === 'none' || inCity === 'all' ? '' : paintSea(regionFrame, tile, palette) + drawLand(region()(z, x, y), palette),
      inCity === 'none'
        ? ''
        : paintSea(cityFrame, tile, palette) + drawCityLand(local, palette) + fadeOut(drawMap(local, z, palette), tile),
      drawLabels(labelStreets(local, z, room), places, palette),
      '</svg>',
    ]
    return parts.join('')
  }

  return {
    render(z, x, y, theme) {
      const key = `${theme}/${z}/${x}/${y}`
      const svg = kept.get(key) ?? draw(z, x, y, theme)
      kept.set(key, svg)
      return svg
    },
  }
}

const tilesByCity = new WeakMap<City, Tiles>()

/** The tile renderer of a city, shared with its cache by all worlds and routes. */
export function tilesOf(city: City): Tiles {
  const tiles = tilesByCity.get(city) ?? createTiles(city)
  tilesByCity.set(city, tiles)
  return tiles
}

export const mapOf = (city: City): MapSource => ({
  drawTile: (z, x, y) => tilesOf(city).render(z, x, y, 'light'),
  attribution: '© OpenStreetMap contributors',
})
