import { LRUCache } from 'lru-cache'
import type { City } from '#server/mock/city/city.ts'
import type { MapSource } from '#server/ports/world.ts'
import { drawCityLand, drawLabels, drawMap } from './draw-map.ts'
import { cityFrame, drawLand, fadeOut, overlap, paintSea, regionFrame } from './draw-world.ts'
import { PER_PIXEL, UNITS } from './fit-tile.ts'
import { createLabelRoom } from './label-room.ts'
import { labelPlaces, labelStreets } from './labels.ts'
import { createCitySource, createWorldSource, type Source } from './sources.ts'
import { palettes, type Theme } from './style.ts'

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

/** The tiles of a city, which all its worlds and routes share with their cache. */
export function tilesOf(city: City): Tiles {
  const tiles = tilesByCity.get(city) ?? createTiles(city)
  tilesByCity.set(city, tiles)
  return tiles
}

export const mapOf = (city: City): MapSource => ({
  drawTile: (z, x, y) => tilesOf(city).render(z, x, y, 'light'),
  attribution: '© OpenStreetMap contributors',
})
