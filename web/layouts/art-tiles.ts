import type { LatLng } from '#contracts/rules/geo.ts'

const SIZE = 256
/** The tiles (Web Mercator) of a picture of so many pixels around a point, with their offset from its middle. */
export function tilesAround({ lat, lng }: LatLng, zoom: number, picture: { width: number; height: number }) {
  const scale = 2 ** zoom
  const x = ((lng + 180) / 360) * scale
  const y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * scale
  const span = (pixels: number) => {
    const reach = Math.ceil(pixels / 2 / SIZE)
    return Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  }
  return span(picture.height).flatMap((dy) =>
    span(picture.width).map((dx) => {
      const tile = { x: Math.floor(x) + dx, y: Math.floor(y) + dy }
      return { ...tile, left: Math.round((tile.x - x) * SIZE), top: Math.round((tile.y - y) * SIZE) }
    }),
  )
}
