import L from 'leaflet'
import { useEffect } from 'react'
import { useMapStage } from '#web/map/map-context.ts'
import type { Path } from './path.ts'
import { FRACTION, type Level, simplifyPath } from './simplify.ts'
import { colourSegments, SPEED_COLOURS } from './speed-colours.ts'
import { usePaint } from './use-paint.ts'

type Props = {
  /** Memoized with useMemo, like `speed`. */
  path: Path
  /** The part from point `first` to point `last`. */
  first?: number
  last?: number
  /** Colours the trace by speed: km/h at each point, and the speed that gets the last colour. */
  speed?: { kmh: ArrayLike<number>; top: number } | undefined
  token?: `--${string}`
  weight?: number
}

/** Above the tiles, below circles and pins. */
const PANE = 'traces'
const Z_INDEX = '350'

/** A track on the map, with a light edge for contrast on any street. */
export function Trace({ path, first = 0, last = path.length - 1, speed, token = '--accent', weight = 4 }: Props) {
  const { map } = useMapStage()
  const { paint } = usePaint(map)
  useEffect(() => {
    if (last <= first) return
    if (!map.getPane(PANE)) {
      const pane = map.createPane(PANE)
      pane.style.zIndex = Z_INDEX
      pane.style.pointerEvents = 'none'
    }
    const colours = speed ? SPEED_COLOURS : [paint(token)]
    const layer = createTrackLayer({ path, first, last, weight, edge: paint('--bg'), colours, speed }, PANE).addTo(map)
    return () => void layer.remove()
  }, [map, paint, path, first, last, speed, token, weight])
  return null
}

type TrackLine = {
  path: Path
  first: number
  last: number
  /** Width in pixels. */
  weight: number
  edge: string
  /** One colour, or those of the speeds on a scale from 0 to `top`. */
  colours: readonly string[]
  speed?: { kmh: ArrayLike<number>; top: number } | undefined
}

/**
 * Internals of Leaflet's renderers that its types lack; `L.Renderer` moves and scales the container while the map is dragged and zoomed.
 */
type Renderer = L.Renderer & {
  _container?: HTMLCanvasElement
  _bounds?: L.Bounds
  _map?: L.Map & { _animatingZoom?: boolean }
  _initContainer(): void
  _destroyContainer(): void
  _update(): void
}

/** The part of the map's size by which the canvas is larger on each side, so that short drags need no redraw. */
const PADDING = 0.25
/** Number of simplified zoom levels that are cached, for zooming back and forth. */
const LEVELS = 3

const update = (L.Renderer.prototype as Renderer)._update

/** A line of any length as one canvas: simplified once per zoom, and redrawn only when the map was zoomed or dragged beyond the canvas. */
function createTrackLayer(line: TrackLine, pane: string): L.Layer {
  const layer = new L.Renderer({ padding: PADDING, pane }) as Renderer
  const levelAt = createLevels(line)
  let frame = 0
  const redrawAtEdge = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      const { _map: map, _bounds: bounds } = layer
      if (map && bounds && !map._animatingZoom && !bounds.contains(viewOf(map))) layer._update()
    })
  }
  return Object.assign(layer, {
    _initContainer() {
      layer._container = L.DomUtil.create('canvas') as HTMLCanvasElement
      layer._map?.on('move', redrawAtEdge)
    },
    _destroyContainer() {
      cancelAnimationFrame(frame)
      layer._map?.off('move', redrawAtEdge)
      layer._container?.remove()
      delete layer._container
    },
    _update() {
      const { _map: map, _container: canvas } = layer
      if (!map || !canvas || (map._animatingZoom && layer._bounds)) return
      update.call(layer)
      const zoom = map.getZoom()
      const scene = levelAt(zoom)
      draw(
        canvas,
        layer._bounds as L.Bounds,
        { ...scene, origin: map.getPixelOrigin().subtract([copyOf(scene.level, map), 0]), zoom },
        line,
      )
    },
  })
}

/** The offset in pixels of the copy of the world on which the line is nearest to the middle of the map. */
function copyOf({ x, zoom: own }: Level, map: L.Map) {
  const zoom = map.getZoom()
  const middle = ((x[0] ?? 0) + (x.at(-1) ?? 0)) / 2 / FRACTION / 2 ** own
  const world = map.options.crs!.scale(zoom)
  return world * Math.round((map.project(map.getCenter(), zoom).x - middle * 2 ** zoom) / world)
}

/** The visible part of the map in the coordinates of layers. */
function viewOf(map: L.Map) {
  const corner = map.containerPointToLayerPoint([0, 0])
  return L.bounds(corner, corner.add(map.getSize()))
}

type Coloured = { level: Level; colours: Uint8Array }

function createLevels({ path, first, last, speed }: TrackLine) {
  const levels = new Map<number, Coloured>()
  return (atZoom: number): Coloured => {
    const zoom = Math.round(atZoom)
    const known = levels.get(zoom)
    if (known) return known
    const level = simplifyPath(path, first, last, zoom)
    const made = { level, colours: speed ? colourSegments(level.index, speed.kmh, speed.top) : new Uint8Array(level.index.length) }
    for (const oldest of levels.keys()) if (levels.size >= LEVELS) levels.delete(oldest)
    levels.set(zoom, made)
    return made
  }
}

type Scene = Coloured & { origin: L.Point; zoom: number }

function draw(canvas: HTMLCanvasElement, bounds: L.Bounds, scene: Scene, { weight, edge, colours }: TrackLine) {
  const size = bounds.getSize()
  const [{ x: left, y: top }, ratio] = [bounds.min as L.Point, window.devicePixelRatio || 1]
  L.DomUtil.setPosition(canvas, bounds.min as L.Point)
  canvas.style.width = `${size.x}px`
  canvas.style.height = `${size.y}px`
  const { sheet, show } = drawingSheet(canvas)
  sheet.width = Math.round(size.x * ratio)
  sheet.height = Math.round(size.y * ratio)
  const pen = sheet.getContext('2d') as CanvasRenderingContext2D | null
  if (!pen) return
  pen.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio)
  pen.lineJoin = 'round'
  pen.lineCap = 'round'
  const { whole, parts } = buildPaths(scene, bounds, weight, colours.length)
  pen.globalAlpha = 0.85
  pen.lineWidth = weight + 4
  pen.strokeStyle = edge
  pen.stroke(whole)
  pen.globalAlpha = 1
  pen.lineWidth = weight
  for (const [index, part] of parts.entries()) {
    pen.strokeStyle = colours[index] ?? edge
    pen.stroke(part)
  }
  show()
}

/**
 * The context that draws what `canvas` shows. A canvas with a drawing context is copied for every frame in which anything on the page
 * moves; one that shows a finished bitmap is not. Not every browser supports bitmaps.
 */
function drawingSheet(canvas: HTMLCanvasElement) {
  const frame = typeof OffscreenCanvas === 'undefined' ? null : canvas.getContext('bitmaprenderer')
  if (!frame) return { sheet: canvas, show: () => undefined }
  const sheet = new OffscreenCanvas(1, 1)
  return { sheet, show: () => frame.transferFromImageBitmap(sheet.transferToImageBitmap()) }
}

/** The visible segments as one path and as one per colour, in one pass. */
function buildPaths({ level: { zoom: own, x, y }, colours, origin, zoom }: Scene, bounds: L.Bounds, weight: number, count: number) {
  const scale = 2 ** (zoom - own) / FRACTION
  const { min, max } = L.bounds([(bounds.min as L.Point).subtract([weight, weight]), (bounds.max as L.Point).add([weight, weight])]) as {
    min: L.Point
    max: L.Point
  }
  const whole = new Path2D()
  const parts = Array.from({ length: count }, () => new Path2D())
  let [isDrawn, colour] = [false, -1]
  let [fromX, fromY] = [(x[0] ?? 0) * scale - origin.x, (y[0] ?? 0) * scale - origin.y]
  for (let index = 1; index < x.length; index++) {
    const [toX, toY] = [(x[index] ?? 0) * scale - origin.x, (y[index] ?? 0) * scale - origin.y]
    const isVisible =
      (fromX > min.x || toX > min.x) && (fromX < max.x || toX < max.x) && (fromY > min.y || toY > min.y) && (fromY < max.y || toY < max.y)
    if (isVisible) {
      const part = parts[colours[index] ?? 0]
      if (!isDrawn) whole.moveTo(fromX, fromY)
      if (!isDrawn || colour !== colours[index]) part?.moveTo(fromX, fromY)
      whole.lineTo(toX, toY)
      part?.lineTo(toX, toY)
      colour = colours[index] ?? 0
    }
    isDrawn = isVisible
    fromX = toX
    fromY = toY
  }
  return { whole, parts }
}
