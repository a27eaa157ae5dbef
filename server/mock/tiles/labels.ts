import { PER_PIXEL, type Point, type TileFeature, UNITS } from './fit-tile.ts'
import { discsAlong, type LabelRoom, textWidth } from './label-room.ts'
import { roads } from './style.ts'

export function measureDistances(line: Point[]): number[] {
  let total = 0
  return line.map((point, index) => {
    const before = line[index - 1] ?? point
    total += Math.hypot(point[0] - before[0], point[1] - before[1])
    return total
  })
}

export function sliceLine(line: Point[], lengths: number[], from: number, to: number): Point[] {
  const between = line.filter((_, index) => lengths[index]! > from && lengths[index]! < to)
  return [pointAt(line, lengths, from), ...between, pointAt(line, lengths, to)]
}

export function pointAt(line: Point[], lengths: number[], distance: number): Point {
  const next = Math.max(
    1,
    lengths.findIndex((length) => length >= distance),
  )
  const [a, b] = [line[next - 1]!, line[next]!]
  const share = (distance - lengths[next - 1]!) / (lengths[next]! - lengths[next - 1]! || 1)
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/** The sharpest turn and the sum of all turns, in radians. */
export function measureTurns(line: Point[]): { sharpest: number; sum: number } {
  let [sharpest, sum] = [0, 0]
  for (let at = 1; at + 1 < line.length; at++) {
    const [a, b, c] = [line[at - 1]!, line[at]!, line[at + 1]!]
    const turn = Math.abs(Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.atan2(b[1] - a[1], b[0] - a[0]))
    const angle = Math.min(turn, 2 * Math.PI - turn)
    sharpest = Math.max(sharpest, angle)
    sum += angle
  }
  return { sharpest, sum }
}

/** Joins stretches that meet end to end, in whichever direction they were drawn. */
export function chainLines(stretches: Point[][]): Point[][] {
  const rest = stretches.map((line) => [...line])
  const lines: Point[][] = []
  for (let line = rest.pop(); line; line = rest.pop()) {
    for (let more = extendLine(line, rest); more; more = extendLine(line, rest)) line = more
    lines.push(line)
  }
  return lines
}

/** Extends the line at either end with one of `rest`, which is removed from `rest`; null when none fits. */
function extendLine(line: Point[], rest: Point[][]): Point[] | null {
  for (let index = 0; index < rest.length; index++) {
    const joined = joinLines(line, rest[index]!) ?? joinLines(line, rest[index]!.toReversed())
    if (!joined) continue
    rest.splice(index, 1)
    return joined
  }
  return null
}

function joinLines(a: Point[], b: Point[]): Point[] | null {
  if (isSamePoint(a.at(-1)!, b[0]!)) return [...a, ...b.slice(1)]
  return isSamePoint(b.at(-1)!, a[0]!) ? [...b, ...a.slice(1)] : null
}

const isSamePoint = (a: Point, b: Point) => Math.abs(a[0] - b[0]) < 1 && Math.abs(a[1] - b[1]) < 1

export type PlaceLabel = { name: string; at: Point; size: number; ink: 'place' | 'parkName' }

type Rule = { layer: string; kind: string; from: number; to: number; size: number; ink: PlaceLabel['ink'] }

/** Labels by importance, with sizes in pixels. */
const RULES: Rule[] = [
  { layer: 'country', kind: 'large', from: 2, to: 7, size: 11.5, ink: 'place' },
  { layer: 'country', kind: 'small', from: 4, to: 7, size: 11, ink: 'place' },
  { layer: 'place', kind: 'capital', from: 7, to: 12, size: 13, ink: 'place' },
  { layer: 'place', kind: 'city', from: 11, to: 15, size: 12, ink: 'place' },
  { layer: 'place', kind: 'town', from: 11, to: 15, size: 12, ink: 'place' },
  { layer: 'place', kind: 'suburb', from: 12, to: 15, size: 11.5, ink: 'place' },
  { layer: 'place', kind: 'neighbourhood', from: 15, to: 16, size: 10.5, ink: 'place' },
  { layer: 'parkName', kind: 'large', from: 14, to: 17, size: 10, ink: 'parkName' },
  { layer: 'parkName', kind: 'middle', from: 16, to: 18, size: 10, ink: 'parkName' },
  { layer: 'parkName', kind: 'small', from: 17, to: 19, size: 10, ink: 'parkName' },
]
/** A little more than `createLabelRoom` requires, so that rounding does not reject a label that was moved inside. */
const MARGIN = 4 * PER_PIXEL
const BOLD = 1.1

/** Places the names of countries, districts and parks, moved inside where a border would cut them. */
export function labelPlaces(features: TileFeature[], zoom: number, room: LabelRoom): PlaceLabel[] {
  return RULES.flatMap((rule) => {
    const fitting = features.filter(({ layer, kind, name }) => layer === rule.layer && kind === rule.kind && name)
    return zoom < rule.from || zoom > rule.to ? [] : fitting.flatMap(({ name, lines }) => placeAtPoint(name!, lines[0]![0]!, rule, room))
  })
}

function placeAtPoint(name: string, [x, y]: Point, { size, ink }: Rule, room: LabelRoom): PlaceLabel[] {
  // Neighbouring tiles see the point in their margin, but only the tile that contains it shows the name.
  if (x < 0 || y < 0 || x >= UNITS || y >= UNITS || room.has(name)) return []
  const height = size * PER_PIXEL
  const half = (textWidth(name) * BOLD * height) / 2
  const radius = height * 0.62
  const reach = half + radius + MARGIN
  if (reach * 2 > UNITS) return []
  const at: Point = [Math.min(UNITS - reach, Math.max(reach, x)), Math.min(UNITS - radius - MARGIN, Math.max(radius + MARGIN, y))]
  const centres = discsAlong(2 * half, radius, (distance) => [at[0] - half + distance, at[1]])
  return room.place(name, centres, radius) ? [{ name, at, size: height, ink }] : []
}

/** A name along a piece of its street; `line` runs in reading direction. */
export type StreetLabel = { name: string; line: Point[]; size: number }

const classes = Object.keys(roads)
/** The largest total turn and the largest single turn of a name, in radians. */
const MAX_TURN = { sum: 0.9, sharpest: 0.45 }
const STEP = 10 * PER_PIXEL

/** Places street names, main roads first, each at most once and only where it fits completely. */
export function labelStreets(features: TileFeature[], zoom: number, room: LabelRoom): StreetLabel[] {
  const streets = new Map<string, { rank: number; lines: Point[][] }>()
  for (const { layer, kind, name, lines } of features) {
    const road = roads[kind]
    if (layer !== 'road' || !name || !road || zoom < road.nameFrom) continue
    const street = streets.get(name) ?? { rank: 0, lines: [] }
    streets.set(name, { rank: Math.max(street.rank, classes.indexOf(kind)), lines: [...street.lines, ...lines] })
  }
  const ordered = [...streets].sort(([a, one], [b, other]) => other.rank - one.rank || (a < b ? -1 : 1))
  return ordered.flatMap(([name, { rank, lines }]) => {
    const size = labelSize(rank, zoom)
    const line = room.has(name) ? null : placeAlongStreet(name, chainLines(lines), size, room)
    return line ? [{ name, line, size }] : []
  })
}

const labelSize = (rank: number, zoom: number) =>
  (rank >= classes.indexOf('tertiary') ? 10.5 : 10) * PER_PIXEL + Math.max(0, zoom - 16) * PER_PIXEL

function placeAlongStreet(name: string, lines: Point[][], size: number, room: LabelRoom): Point[] | null {
  const length = textWidth(name) * size
  const candidates = lines.flatMap((line) => findPieces(line, length)).sort((a, b) => a.cost - b.cost)
  for (const { line } of candidates) {
    const lengths = measureDistances(line)
    const centres = discsAlong(lengths.at(-1)!, size * 0.62, (distance) => pointAt(line, lengths, distance))
    if (room.place(name, centres, size * 0.62)) return line[0]![0] <= line.at(-1)![0] ? line : line.toReversed()
  }
  return null
}

/** Pieces of a line that are as long as the text and straight enough for it. Pieces near the middle of the tile cost least. */
function findPieces(line: Point[], length: number): { line: Point[]; cost: number }[] {
  const lengths = measureDistances(line)
  const found: { line: Point[]; cost: number }[] = []
  for (let start = 0; start + length <= lengths.at(-1)!; start += STEP) {
    const [x, y] = pointAt(line, lengths, start + length / 2)
    if (x < 0 || y < 0 || x > UNITS || y > UNITS) continue
    const piece = sliceLine(line, lengths, start, start + length)
    const turns = measureTurns(piece)
    if (turns.sum > MAX_TURN.sum || turns.sharpest > MAX_TURN.sharpest) continue
    found.push({ line: piece, cost: Math.hypot(x - UNITS / 2, y - UNITS / 2) / UNITS + turns.sum })
  }
  return found
}
