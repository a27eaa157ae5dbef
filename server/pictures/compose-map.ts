/** Tiles are drawn at twice their size, so that names stay readable in small previews. */
export const SCALE = 2
export const TILE = 256 * SCALE

type Point = { x: number; y: number }
type Size = { width: number; height: number }

/** A tile as SVG or as the bytes of a picture, and the position of its corner in the map's picture, in pixels. */
export type MapTile = { tile: string | Uint8Array; at: Point }

type MapLayers = Size & { format: 'png' | 'jpeg'; tiles: readonly MapTile[]; overlay: string }

/** Composes one picture from the tiles of a map and an SVG on top of them. */
export async function composeMap({ width, height, format, tiles, overlay }: MapLayers): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const size = { width, height }
  const layers = []
  for (const { tile, at } of tiles) {
    const raster = await sharp(Buffer.from(tile), { density: 72 * SCALE })
      .resize(TILE, TILE)
      .png({ compressionLevel: 1 })
      .toBuffer()
    layers.push({ input: await sharp(raster).extract(cropTile(at, size)).toBuffer(), left: Math.max(0, at.x), top: Math.max(0, at.y) })
  }
  const canvas = sharp({ create: { ...size, channels: 3, background: '#c3dfec' } })
  const drawn = canvas.composite([...layers, { input: Buffer.from(overlay), left: 0, top: 0 }])
  return format === 'jpeg' ? drawn.jpeg({ quality: 82 }).toBuffer() : drawn.png({ palette: true, quality: 90, effort: 4 }).toBuffer()
}

/** The part of a tile within the picture, because a layer must not be larger than the picture. */
const cropTile = ({ x, y }: Point, { width, height }: Size) => ({
  left: Math.max(0, -x),
  top: Math.max(0, -y),
  width: Math.min(TILE, width - x) - Math.max(0, -x),
  height: Math.min(TILE, height - y) - Math.max(0, -y),
})
