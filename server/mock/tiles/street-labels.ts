import { PER_PIXEL, type Point, type TileFeature, UNITS } from './fit-tile.ts'
import { discsAlong, type LabelRoom } from './label-room.ts'
import { chainLines, measureDistances, measureTurns, pointAt, sliceLine } from './polyline.ts'
import { roads } from './style.ts'
import { textWidth } from './text-width.ts'

/** A name along a piece of its street; `line` runs in reading direction. */
export type StreetLabel = { name: string; line: Point[]; size: number }

const classes = Object.keys(roads)
/** The largest total turn and the largest single turn of a name, in radians. */
const MAX_TURN = { sum: 0.9, sharpest: 0.45 }
/** Distance between the positions tried along a street. */
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
    const line = room.has(name) ? null : placeName(name, chainLines(lines), size, room)
    return line ? [{ name, line, size }] : []
  })
}

const labelSize = (rank: number, zoom: number) =>
  (rank >= classes.indexOf('tertiary') ? 10.5 : 10) * PER_PIXEL + Math.max(0, zoom - 16) * PER_PIXEL

function placeName(name: string, lines: Point[][], size: number, room: LabelRoom): Point[] | null {
  const length = textWidth(name) * size
  const candidates = lines.flatMap((line) => findPieces(line, length)).sort((a, b) => a.cost - b.cost)
  for (const { line } of candidates) {
    const lengths = measureDistances(line)
    const centres = discsAlong(lengths.at(-1)!, size * 0.62, (distance) => pointAt(line, lengths, distance))
    if (room.take(name, centres, size * 0.62)) return line[0]![0] <= line.at(-1)![0] ? line : line.toReversed()
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
