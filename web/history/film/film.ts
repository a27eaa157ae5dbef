import { findFixIndex, interpolateMoment, type Track } from '#web/history/track/track.ts'
import { outlineOf } from '#web/map/shapes/path.ts'
import { colourIndex, SPEED_COLOURS } from '#web/map/shapes/speed-colours.ts'
import { FILM, fitView, listTiles, type PlacedTile, project, type View } from './film-view.ts'

/** Both Chromium and Firefox record WebM, Safari MP4. */
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4']
const FRAMES_PER_SECOND = 30
const BITS_PER_SECOND = 5_000_000
/** A tile that takes longer is skipped. */
const TILE_MS = 10_000
/** The film does not skip what a busy browser was late to draw. */
const LONGEST_STEP_MS = 100

export type Paint = { paper: string; ground: string; ink: string; pale: string; pin: string }
type Words = { title: string; clock: string; distance: string }

/**
 * The data that a film is drawn from: `metres[i]` is the distance up to point number i of the track's line; `credit` is shown if there are
 * tiles.
 */
export type Scene = { track: Track; view: View; metres: Float64Array; tiles: readonly LoadedTile[]; credit: string }
type LoadedTile = PlacedTile & { image: CanvasImageSource }

export function createScene(track: Track): Scene {
  const metres = track.line.meters.slice()
  for (let index = 1; index < metres.length; index++) metres[index]! += metres[index - 1] ?? 0
  return { track, metres, view: fitView(outlineOf(track.line.path)), tiles: [], credit: '' }
}

/**
 * Loads the map's tiles. Null if the tile server forbids their use in pictures (CORS): drawing them anyway would make the browser refuse
 * the film.
 */
export async function loadTiles(view: View, tiles: { url: string; maxZoom: number }, theme: string): Promise<LoadedTile[] | null> {
  const isForeign = new URL(tiles.url, location.href).origin !== location.origin
  const loaded = await Promise.all(listTiles(view, tiles, theme).map((tile) => loadTile(tile, isForeign)))
  const found = loaded.filter((tile) => tile !== null)
  return isForeign && found.length === 0 ? null : found
}

async function loadTile(tile: PlacedTile, isForeign: boolean): Promise<LoadedTile | null> {
  const image = new Image()
  if (isForeign) image.crossOrigin = 'anonymous'
  image.src = tile.url
  const late = new Promise<never>((_, reject) => setTimeout(reject, TILE_MS))
  return Promise.race([image.decode(), late]).then(
    () => ({ ...tile, image }),
    () => null,
  )
}

/** Returns a function that draws the moment `time`; the map and the track up to then are drawn only once. */
export function createPainter(pen: CanvasRenderingContext2D, scene: Scene, paint: Paint) {
  const { track, view, metres, tiles, credit } = scene
  const { line, scaleKmh, legs } = track
  const { path: positions, kmh } = line
  const ground = createLayer()
  const trail = createLayer()
  const at = (index: number) => project(view, { lat: positions.lat[index] ?? 0, lng: positions.lng[index] ?? 0 })
  if (ground) {
    ground.fillStyle = paint.ground
    ground.fillRect(0, 0, FILM.width, FILM.height)
    // Half a pixel more on each side, so that no lines show between them.
    for (const { image, x, y, size } of tiles) ground.drawImage(image, x - 0.5, y - 0.5, size + 1, size + 1)
    ground.beginPath()
    for (let index = 0; index < positions.length; index++) ground.lineTo(...at(index))
    strokeLine(ground, paint.pale, 3)
  }
  let drawn = 0
  const extendTrail = (to: number) => {
    if (!trail) return
    if (to < drawn) {
      trail.clearRect(0, 0, FILM.width, FILM.height)
      drawn = 0
    }
    for (; drawn < to; drawn++) {
      trail.beginPath()
      trail.moveTo(...at(drawn))
      trail.lineTo(...at(drawn + 1))
      strokeLine(trail, SPEED_COLOURS[colourIndex(kmh[drawn + 1] ?? 0, scaleKmh)] ?? SPEED_COLOURS[0], 7)
    }
  }
  /** Metres covered until `time`, including those since the last fix. */
  const metersAt = (time: number) => {
    const index = findFixIndex(positions, time)
    const [from, to] = [positions.datetime[index] ?? 0, positions.datetime[index + 1] ?? 0]
    const share = to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0
    return (metres[index] ?? 0) + ((metres[index + 1] ?? metres[index] ?? 0) - (metres[index] ?? 0)) * share
  }
  const draw = (time: number, share: number, words: Words) => {
    const index = findFixIndex(positions, time)
    const moment = interpolateMoment(track, time)
    extendTrail(index)
    if (ground) pen.drawImage(ground.canvas, 0, 0)
    if (trail) pen.drawImage(trail.canvas, 0, 0)
    if (moment) {
      const [x, y] = project(view, moment)
      if (legs.length > 0) {
        pen.beginPath()
        pen.moveTo(...at(index))
        pen.lineTo(x, y)
        strokeLine(pen, SPEED_COLOURS[colourIndex(moment.kmh, scaleKmh)] ?? SPEED_COLOURS[0], 7)
      }
      pen.beginPath()
      pen.arc(x, y, 17, 0, 2 * Math.PI)
      pen.fillStyle = paint.pin
      pen.fill()
      strokeLine(pen, '#ffffff', 5)
    }
    drawWords(pen, paint, share, { ...words, credit })
  }
  return { draw, metersAt }
}

function createLayer() {
  const canvas = document.createElement('canvas')
  canvas.width = FILM.width
  canvas.height = FILM.height
  return canvas.getContext('2d')
}

function strokeLine(pen: CanvasRenderingContext2D, colour: string, width: number) {
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.stroke()
}

function drawWords(
  pen: CanvasRenderingContext2D,
  paint: Paint,
  share: number,
  { title, clock, distance, credit }: Words & { credit: string },
) {
  const write = (words: string, x: number, y: number, size: number, ink: string, width: number) => {
    pen.font = `${size > 30 ? 700 : 550} ${size}px "Inter Variable", system-ui, sans-serif`
    pen.fillStyle = ink
    pen.fillText(words, x, y, width)
  }
  pen.globalAlpha = 0.93
  pen.fillStyle = paint.paper
  pen.beginPath()
  pen.roundRect(24, 24, FILM.width - 48, 122, 20)
  pen.roundRect(24, FILM.height - 42, FILM.width - 48, 12, 6)
  pen.fill()
  pen.globalAlpha = 1
  pen.textAlign = 'left'
  write(title, 48, 66, 24, paint.ink, FILM.width - 96)
  write(clock, 48, 124, 48, paint.ink, 300)
  pen.textAlign = 'right'
  write(distance, FILM.width - 48, 124, 48, paint.ink, 300)
  write(credit, FILM.width - 28, FILM.height - 52, 16, paint.ink, FILM.width - 56)
  pen.fillStyle = paint.pin
  pen.beginPath()
  pen.roundRect(24, FILM.height - 42, Math.max(12, (FILM.width - 48) * share), 12, 6)
  pen.fill()
}

const findType = () => TYPES.find((type) => MediaRecorder.isTypeSupported(type))

type Recording = { canvas: HTMLCanvasElement; seconds: number; draw: (share: number) => void; signal: AbortSignal }

/**
 * Records the canvas while `draw` is called with shares from 0 to 1. Pauses while the page is hidden, because browsers draw no frames then.
 * Rejects when it is aborted or the browser fails.
 */
export function recordFilm({ canvas, seconds, draw, signal }: Recording): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const type = findType()
    const stream = canvas.captureStream(FRAMES_PER_SECOND)
    const recorder = new MediaRecorder(stream, { ...(type && { mimeType: type }), videoBitsPerSecond: BITS_PER_SECOND })
    const parts: Blob[] = []
    let [passed, before, frame] = [0, 0, 0]
    const step = (now: number) => {
      passed += before ? Math.min(LONGEST_STEP_MS, now - before) : 0
      before = now
      const share = Math.min(1, passed / (seconds * 1000))
      draw(share)
      if (share < 1) frame = requestAnimationFrame(step)
      else recorder.stop()
    }
    const onVisibility = () => (document.hidden ? recorder.pause() : recorder.resume())
    const finish = (settle: () => void) => {
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', onVisibility)
      for (const track of stream.getTracks()) track.stop()
      settle()
    }
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onerror = () => finish(() => reject(new Error('The browser stopped recording')))
    recorder.onstop = () => finish(() => (signal.aborted ? reject(signal.reason) : resolve(new Blob(parts, { type: plainType(recorder) }))))
    signal.addEventListener('abort', () => recorder.state !== 'inactive' && recorder.stop())
    document.addEventListener('visibilitychange', onVisibility)
    recorder.start(1000)
    frame = requestAnimationFrame(step)
  })
}

/** The type without its codecs, which share sheets do not know. */
const plainType = ({ mimeType }: MediaRecorder) => mimeType.split(';')[0] || 'video/webm'

export const extensionOf = (type: string) => (type.includes('mp4') ? 'mp4' : 'webm')
