/** The square of a picture that is shown: its centre in pixels of the picture, and how much it is enlarged beyond filling the frame. */
export type Crop = { x: number; y: number; zoom: number }
type Size = { width: number; height: number }

export const MAX_ZOOM = 4

export const centreOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })

/** Length of the square's sides in pixels of the picture. */
export const sideOf = ({ width, height }: Size, { zoom }: Crop) => Math.min(width, height) / zoom

/** The crop within the picture: the square never shows what is outside. */
export function clampCrop(size: Size, crop: Crop): Crop {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, crop.zoom))
  const half = sideOf(size, { ...crop, zoom }) / 2
  const within = (at: number, length: number) => Math.min(length - half, Math.max(half, at))
  return { x: within(crop.x, size.width), y: within(crop.y, size.height), zoom }
}

/** Moves the picture by pixels of a frame of `frame` pixels. */
export function moveCrop(size: Size, crop: Crop, by: { x: number; y: number }, frame: number): Crop {
  const scale = sideOf(size, crop) / frame
  return clampCrop(size, { ...crop, x: crop.x - by.x * scale, y: crop.y - by.y * scale })
}

/** Side of the uploaded square at most, in pixels: the server makes smaller ones of it. */
const UPLOAD_SIDE = 1024

/** Draws the square into a JPEG file. */
export async function drawCrop(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const side = sideOf(picture, crop)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.round(Math.min(UPLOAD_SIDE, side))
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', 0.9)
  })
}
