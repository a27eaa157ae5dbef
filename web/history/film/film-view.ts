import { type LatLng, unwrap } from '#contracts/rules/geo/coordinates.ts'
import type { Leg } from '#contracts/rules/history/trips.ts'
import { mercator } from '#web/map/shapes/simplify.ts'

/** Size of a film in pixels. */
export const FILM = { width: 720, height: 900 } as const
/** Pixels covered by texts and the margin. */
const PADDING = { top: 170, bottom: 80, side: 60 }
const TILE = 256
const ZOOMS = { min: 1, max: 17 }
/** The last picture is shown for this share of the film. */
const END_SHARE = 0.07
/** The largest share of the film for all stops together, and for each of them. */
const STOPS = { all: 0.25, each: 0.025 }

/**
 * Maps a share of the film to a moment of the history, from the first trip to the end of the last one: trips at constant speed, stops and
 * gaps shortened. A history without trips is shown at constant speed.
 */
export function planFilm(legs: readonly Leg[], span: { first: number; last: number }): (share: number) => number {
  const trips = legs.flatMap(({ kind }, index) => (kind === 'trip' ? [index] : []))
  const shown = trips.length > 0 ? legs.slice(trips[0], (trips.at(-1) ?? 0) + 1) : []
  const rests = shown.filter(({ kind }) => kind !== 'trip')
  const moving = shown.reduce((sum, { kind, durationMs }) => sum + (kind === 'trip' ? durationMs : 0), 0)
  const restShare = Math.min(STOPS.all, STOPS.each * rests.length)
  const marks = [{ share: 0, time: shown[0]?.start ?? span.first }]
  for (const { kind, end, durationMs } of shown) {
    const width = kind === 'trip' ? ((1 - restShare) * durationMs) / Math.max(1, moving) : restShare / rests.length
    marks.push({ share: (marks.at(-1)?.share ?? 0) + width, time: end })
  }
  if (shown.length === 0) marks.push({ share: 1, time: span.last })
  return (share) => {
    const at = Math.min(1, Math.max(0, share) / (1 - END_SHARE))
    const next = marks.find((mark) => mark.share >= at - 1e-9) ?? marks.at(-1)!
    const before = marks[marks.indexOf(next) - 1] ?? next
    const width = next.share - before.share
    return width > 0 ? before.time + ((next.time - before.time) * (at - before.share)) / width : next.time
  }
}

/** A part of the map: its zoom, and the world pixel of its upper left corner. `middle` is a longitude in it. */
export type View = { zoom: number; left: number; top: number; middle: number }

const worldSize = (zoom: number) => TILE * 2 ** zoom

/** The part of the map that shows all points between the texts. */
export function fitView(points: readonly LatLng[]): View {
  const middle = points[0]?.lng ?? 0
  const xs = points.map(({ lng }) => (unwrap(lng, middle) + 180) / 360)
  const ys = points.map(({ lat }) => mercator(lat))
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const [width, height] = [FILM.width - 2 * PADDING.side, FILM.height - PADDING.top - PADDING.bottom]
  const fit = Math.log2(Math.min(width / (TILE * Math.max(x1 - x0, 1e-9)), height / (TILE * Math.max(y1 - y0, 1e-9))))
  const zoom = Math.min(ZOOMS.max, Math.max(ZOOMS.min, fit))
  const size = worldSize(zoom)
  const left = ((x0 + x1) / 2) * size - FILM.width / 2
  const top = ((y0 + y1) / 2) * size - PADDING.top - height / 2
  return { zoom, left, top, middle }
}

export function project({ zoom, left, top, middle }: View, { lat, lng }: LatLng): [x: number, y: number] {
  const size = worldSize(zoom)
  return [((unwrap(lng, middle) + 180) / 360) * size - left, mercator(lat) * size - top]
}

/** A tile of the map and where it is drawn. */
export type PlacedTile = { url: string; x: number; y: number; size: number }
type Tiles = { url: string; maxZoom: number }

/** The tiles that cover a view. */
export function listTiles({ zoom, left, top }: View, { url, maxZoom }: Tiles, theme: string): PlacedTile[] {
  const z = Math.min(maxZoom, Math.max(0, Math.round(zoom)))
  const size = TILE * 2 ** (zoom - z)
  const count = 2 ** z
  const placed: PlacedTile[] = []
  for (let row = Math.max(0, Math.floor(top / size)); row < Math.min(count, (top + FILM.height) / size); row++)
    for (let column = Math.floor(left / size); column < (left + FILM.width) / size; column++) {
      const x = ((column % count) + count) % count
      const values: Record<string, string | number> = { z, x, y: row, s: 'abc'[(x + row) % 3] ?? 'a', r: '', theme }
      const address = url.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
      placed.push({ url: address, x: column * size - left, y: row * size - top, size })
    }
  return placed
}
