import { columnOfLng, REGION_BOUNDS, rowOfLat, TILE_BLOCK } from '#server/mock/city/index.ts'
import { formatPath, PER_PIXEL, type TileFeature, UNITS } from './fit-tile.ts'
import type { Palette } from './style.ts'

type Tile = { z: number; x: number; y: number }
/** Edges in columns and rows of tiles at zoom 12. */
type Frame = { west: number; north: number; east: number; south: number }

/** Degrees by which the region is drawn smaller than its data, so that its cut edge lies on land that is already drawn. */
const INSET = 0.05
export const regionFrame: Frame = {
  west: columnOfLng(REGION_BOUNDS.west + INSET),
  east: columnOfLng(REGION_BOUNDS.east - INSET),
  north: rowOfLat(REGION_BOUNDS.north - INSET),
  south: rowOfLat(REGION_BOUNDS.south + INSET),
}
export const cityFrame: Frame = {
  west: TILE_BLOCK.west,
  north: TILE_BLOCK.north,
  east: TILE_BLOCK.west + TILE_BLOCK.columns,
  south: TILE_BLOCK.north + TILE_BLOCK.rows,
}

const toTileUnits = ({ west, north, east, south }: Frame, { z, x, y }: Tile) => {
  const scale = 2 ** (z - TILE_BLOCK.zoom)
  return {
    west: (west * scale - x) * UNITS,
    north: (north * scale - y) * UNITS,
    east: (east * scale - x) * UNITS,
    south: (south * scale - y) * UNITS,
  }
}

/** Whether a tile lies in the frame wholly, in part or not at all. */
export function overlap(frame: Frame, tile: Tile): 'all' | 'part' | 'none' {
  const { west, north, east, south } = toTileUnits(frame, tile)
  if (west <= 0 && north <= 0 && east >= UNITS && south >= UNITS) return 'all'
  return west >= UNITS || north >= UNITS || east <= 0 || south <= 0 ? 'none' : 'part'
}

/** Paints sea over a frame before its finer land is drawn. */
export function paintSea(frame: Frame, tile: Tile, palette: Palette): string {
  const { west, north, east, south } = toTileUnits(frame, tile)
  const [left, top] = [Math.max(-8, Math.round(west)), Math.max(-8, Math.round(north))]
  const [right, bottom] = [Math.min(UNITS + 8, Math.round(east)), Math.min(UNITS + 8, Math.round(south))]
  return `<path fill="${palette.sea}" d="M${left} ${top}H${right}V${bottom}H${left}z"/>`
}

/** Width of the fade at the edge of the city's data, in tiles at zoom 12 (about 900 m). */
const FADE_WIDTH = 0.11

/** Fades streets out where the data ends, instead of cutting them off. The south needs no fade, because it is water. */
export function fadeOut(drawing: string, tile: Tile): string {
  const { west, north, east } = toTileUnits(cityFrame, tile)
  const width = FADE_WIDTH * 2 ** (tile.z - TILE_BLOCK.zoom) * UNITS
  const edges = [
    { name: 'w', from: west, to: west + width, along: 'x' },
    { name: 'e', from: east, to: east - width, along: 'x' },
    { name: 'n', from: north, to: north + width, along: 'y' },
  ].filter(({ from, to }) => Math.max(from, to) > 0 && Math.min(from, to) < UNITS)
  const whole = `M-8-8h${UNITS + 16}v${UNITS + 16}h-${UNITS + 16}z`
  return edges.reduce((inner, { name, from, to, along }) => {
    const [a, b] = [Math.round(from), Math.round(to)]
    const line = along === 'x' ? `x1="${a}" x2="${b}" y1="0" y2="0"` : `x1="0" x2="0" y1="${a}" y2="${b}"`
    const stops = '<stop stop-color="#000"/><stop offset="1" stop-color="#fff"/>'
    const gradient = `<linearGradient id="g${name}" gradientUnits="userSpaceOnUse" ${line}>${stops}</linearGradient>`
    const area = `x="-8" y="-8" width="${UNITS + 16}" height="${UNITS + 16}"`
    const mask = `<mask id="m${name}" maskUnits="userSpaceOnUse" ${area}><path fill="url(#g${name})" d="${whole}"/></mask>`
    return `${gradient}${mask}<g mask="url(#m${name})">${inner}</g>`
  }, drawing)
}

export function drawLand(features: TileFeature[], palette: Palette): string {
  const land = features.filter(({ geometry }) => geometry === 'area').map(({ lines }) => formatPath(lines, true))
  const borders = features.filter(({ geometry }) => geometry === 'line').map(({ lines }) => formatPath(lines, false))
  return (
    land.map((data) => (data ? `<path fill="${palette.land}" fill-rule="evenodd" d="${data}"/>` : '')).join('') +
    borders.map((data) => (data ? `<path fill="none" stroke="${palette.border}" stroke-width="${PER_PIXEL}" d="${data}"/>` : '')).join('')
  )
}
