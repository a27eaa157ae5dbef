import type { LatLng } from '#contracts/rules/geo.ts'

const SIZE = 256
/** Columns and rows either side of the middle: enough for a large screen. */
const REACH = { x: 3, y: 3 }

/** The tiles around a point (Web Mercator), with their offset in pixels from the middle of the picture. */
export function tilesAround({ lat, lng }: LatLng, zoom: number) {
  const scale = 2 ** zoom
  const x = ((lng + 180) / 360) * scale
  const y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * scale
  const span = (reach: number) => Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  return span(REACH.y).flatMap((dy) =>
    span(REACH.x).map((dx) => {
      const tile = { x: Math.floor(x) + dx, y: Math.floor(y) + dy }
      return { ...tile, left: Math.round((tile.x - x) * SIZE), top: Math.round((tile.y - y) * SIZE) }
    }),
  )
}
