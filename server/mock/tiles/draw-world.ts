import { block, columnOfLng, rowOfLat } from '#db/city/frame.ts'
import { region } from '#db/city/world.ts'
import { PER_PIXEL, type TileFeature, UNITS } from './fit-tile.ts'
import { pathOf } from './path.ts'
import type { Palette } from './style.ts'

type Tile = { z: number; x: number; y: number }
/** In columns and rows of z12 tiles. */
type Frame = { west: number; north: number; east: number; south: number }

/** Finer land begins a little inside the area it was cut to, so that its cut edge lies on land already drawn. */
const INSET = 0.05
export const regionFrame: Frame = {
  west: columnOfLng(region.west + INSET),
  east: columnOfLng(region.east - INSET),
  north: rowOfLat(region.north - INSET),
  south: rowOfLat(region.south + INSET),
}
export const cityFrame: Frame = { west: block.west, north: block.north, east: block.west + block.columns, south: block.north + block.rows }

/** A frame in units of a tile. */
const inTile = ({ west, north, east, south }: Frame, { z, x, y }: Tile) => {
  const scale = 2 ** (z - block.zoom)
  return {
    west: (west * scale - x) * UNITS,
    north: (north * scale - y) * UNITS,
    east: (east * scale - x) * UNITS,
    south: (south * scale - y) * UNITS,
  }
}

/** Whether a tile lies wholly within a frame, in part, or not at all. */
export function overlap(frame: Frame, tile: Tile): 'all' | 'part' | 'none' {
  const { west, north, east, south } = inTile(frame, tile)
  if (west <= 0 && north <= 0 && east >= UNITS && south >= UNITS) return 'all'
  return west >= UNITS || north >= UNITS || east <= 0 || south <= 0 ? 'none' : 'part'
}

/** Sea over a frame, on which its finer land is then drawn. */
export function clear(frame: Frame, tile: Tile, palette: Palette): string {
  const { west, north, east, south } = inTile(frame, tile)
  const [left, top] = [Math.max(-8, Math.round(west)), Math.max(-8, Math.round(north))]
  const [right, bottom] = [Math.min(UNITS + 8, Math.round(east)), Math.min(UNITS + 8, Math.round(south))]
  return `<path fill="${palette.sea}" d="M${left} ${top}H${right}V${bottom}H${left}z"/>`
}

/** Land and borders of the world. */
export function drawLand(features: TileFeature[], palette: Palette): string {
  const land = features.filter(({ geometry }) => geometry === 'area').map(({ lines }) => pathOf(lines, true))
  const borders = features.filter(({ geometry }) => geometry === 'line').map(({ lines }) => pathOf(lines, false))
  return (
    land.map((data) => (data ? `<path fill="${palette.land}" fill-rule="evenodd" d="${data}"/>` : '')).join('') +
    borders.map((data) => (data ? `<path fill="none" stroke="${palette.border}" stroke-width="${PER_PIXEL}" d="${data}"/>` : '')).join('')
  )
}
