import { setImmediate } from 'node:timers/promises'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { KINDS, type Kind } from '#contracts/rules/tracking/tracker.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import type { MapSource } from '#server/ports/world.ts'
import { type composeMap, type MapTile, SCALE, TILE } from './compose-map.ts'
import { KIND_LOOKS } from './kind-looks.ts'

export type MapPin = LatLng & {
  kind: Kind /** Accuracy in metres. */
  precision: number | null
  photo?: Uint8Array | undefined /** As JPEG. */
}

export type MapPicture = {
  /** In pixels of the picture. */
  width: number
  height: number
  /** At least one; the first is drawn on top. */
  pins: readonly MapPin[]
  /** The track to the first pin, drawn under it, oldest first. */
  track?: readonly LatLng[]
  format?: 'png' | 'jpeg'
}

type Point = { x: number; y: number }
type Camera = { zoom: number; left: number; top: number }

const [NEAREST, FARTHEST] = [15, 2]
/** Padding around the points, in pixels of the picture: above them for the pin, which is drawn over its point. */
const ROOM = { side: 70, above: 100, below: 44 }
const METRES_PER_PIXEL_AT_0 = 156_543.034 / SCALE

/** Position in pixels of the world at a zoom (Web Mercator). */
export function project({ lat, lng }: LatLng, zoom: number): Point {
  const size = TILE * 2 ** zoom
  const sin = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180)
  return { x: ((lng + 180) / 360) * size, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size }
}

/** The largest whole zoom at which all points fit, and the corner of the picture in pixels of the world. */
export function fitCamera(points: readonly LatLng[], { width, height }: { width: number; height: number }): Camera {
  const bounds = (zoom: number) => {
    const [xs, ys] = [points.map((point) => project(point, zoom).x), points.map((point) => project(point, zoom).y)]
    return { west: Math.min(...xs), east: Math.max(...xs), north: Math.min(...ys), south: Math.max(...ys) }
  }
  const fits = (zoom: number) => {
    const { west, east, north, south } = bounds(zoom)
    return east - west <= width - 2 * ROOM.side && south - north <= height - ROOM.above - ROOM.below
  }
  let zoom = NEAREST
  while (zoom > FARTHEST && !fits(zoom)) zoom--
  const { west, east, north, south } = bounds(zoom)
  return { zoom, left: Math.round((west + east - width) / 2), top: Math.round((north + south - height - ROOM.above + ROOM.below) / 2) }
}

/**
 * Draws a map with pins and, if there is one, the track to the first. The event loop only composes text, one tile per turn; the pixels are
 * rendered in another thread.
 */
export async function drawMapPicture(source: MapSource, picture: MapPicture): Promise<Buffer> {
  const { width, height, pins, track = [], format = 'png' } = picture
  const { zoom, left, top } = fitCamera([...pins, ...track], { width, height })
  const columns = range(Math.floor(left / TILE), Math.floor((left + width - 1) / TILE))
  const rows = range(Math.max(0, Math.floor(top / TILE)), Math.min(2 ** zoom - 1, Math.floor((top + height - 1) / TILE)))
  const pending: Promise<MapTile>[] = []
  for (const x of columns) {
    for (const y of rows) {
      const around = 2 ** zoom
      const at = { x: x * TILE - left, y: y * TILE - top }
      pending.push(handleLater(drawTile(source, { zoom, x: ((x % around) + around) % around, y }).then((tile) => ({ tile, at }))))
      await setImmediate()
    }
  }
  const tiles = await Promise.all(pending)
  const overlay = drawOverlay(picture, { zoom, left, top }, source.attribution)
  return Buffer.from(await runInWorker<typeof composeMap>('map', { width, height, format, tiles, overlay }))
}

const drawTile = async (source: MapSource, { zoom, x, y }: Point & { zoom: number }) => source.drawTile(zoom, x, y)

/** A failure counts when the promise is awaited, not as unhandled before. */
function handleLater<T>(promise: Promise<T>) {
  promise.catch(() => undefined)
  return promise
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function drawOverlay({ width, height, pins, track = [] }: MapPicture, camera: Camera, attribution: string) {
  const colour = coloursOf(pins[0]!).colour
  const line = [...track, pins[0]!].map((point) => place(point, camera)).map(({ x, y }) => `${x},${y}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    ...pins.map((pin) => drawAccuracy(pin, camera)),
    track.length > 0 ? `<polyline points="${line.join(' ')}" ${ROUNDED} stroke="#fff" stroke-width="12" stroke-opacity=".85"/>` : '',
    track.length > 0 ? `<polyline points="${line.join(' ')}" ${ROUNDED} stroke="${colour}" stroke-width="7"/>` : '',
    ...pins.map((pin, index) => drawPin(pin, camera, index)).reverse(),
    `<rect x="${width - attribution.length * 8.4 - 16}" y="${height - 26}" width="100%" height="26" fill="#fff" fill-opacity=".8"/>`,
    `<text x="${width - 8}" y="${height - 8}" text-anchor="end" font-family="Inter, system-ui, sans-serif" font-size="15" fill="#475569">${escapeHtml(attribution)}</text>`,
    '</svg>',
  ].join('')
}

const ROUNDED = 'stroke-linecap="round" stroke-linejoin="round" fill="none"'

const coloursOf = ({ kind }: MapPin) => KIND_LOOKS[pickListed(KINDS, kind, 'other')]

function place(point: LatLng, { zoom, left, top }: Camera): Point {
  const { x, y } = project(point, zoom)
  return { x: Math.round(x - left), y: Math.round(y - top) }
}

function drawAccuracy(pin: MapPin, camera: Camera) {
  const metresPerPixel = (METRES_PER_PIXEL_AT_0 * Math.cos((pin.lat * Math.PI) / 180)) / 2 ** camera.zoom
  const radius = Math.round((pin.precision ?? 0) / metresPerPixel)
  const { x, y } = place(pin, camera)
  const { colour } = coloursOf(pin)
  return radius > 30
    ? `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}" fill-opacity=".14" stroke="${colour}" stroke-opacity=".5" stroke-width="2"/>`
    : ''
}

function drawPin(pin: MapPin, camera: Camera, index: number) {
  const { colour, path } = coloursOf(pin)
  const { x, y } = place(pin, camera)
  return [
    `<ellipse cx="${x}" cy="${y + 1}" rx="15" ry="6" fill-opacity=".25"/>`,
    `<path d="M${x} ${y}c-8-14-38-22-38-56a38 38 0 0 1 76 0c0 34-30 42-38 56z" fill="${colour}" stroke="#fff" stroke-width="5"/>`,
    pin.photo
      ? drawPhoto(pin.photo, { x, y: y - 56 }, `face${index}`)
      : `<g transform="translate(${x - 23} ${y - 79}) scale(1.92)" ${ROUNDED} stroke="#fff" stroke-width="1.9"><path d="${path}"/></g>`,
  ].join('')
}

const PHOTO_RADIUS = 34

const drawPhoto = (photo: Uint8Array, { x, y }: Point, id: string) =>
  [
    `<clipPath id="${id}"><circle cx="${x}" cy="${y}" r="${PHOTO_RADIUS}"/></clipPath>`,
    `<image x="${x - PHOTO_RADIUS}" y="${y - PHOTO_RADIUS}" width="${2 * PHOTO_RADIUS}" height="${2 * PHOTO_RADIUS}" clip-path="url(#${id})"`,
    ` href="data:image/jpeg;base64,${Buffer.from(photo).toString('base64')}"/>`,
  ].join('')
