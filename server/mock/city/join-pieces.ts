import type { Position } from './city.ts'
import type { Raw } from './read-tiles.ts'

/** Each tile rounds its own coordinates, so the ends of a cut line differ by up to this many degrees (0.5 m). */
const GAP = 5e-6

/**
 * Returns one feature per OpenStreetMap object: drops points duplicated at a tile border, joins lines cut there, and keeps the pieces of an
 * area as further rings. Ordered by geometry and id.
 */
export function joinPieces(pieces: Raw[]): Raw[] {
  const whole = new Map<string, Raw>()
  for (const piece of pieces) {
    const key = `${piece.geometry} ${piece.id}`
    const known = whole.get(key)
    if (!known) whole.set(key, { ...piece, lines: [...piece.lines] })
    else if (piece.geometry !== 'point') known.lines.push(...piece.lines)
  }
  const features = [...whole.values()]
  for (const feature of features) if (feature.geometry === 'line') feature.lines = joinLines(feature.lines)
  return features.sort((a, b) => a.geometry.localeCompare(b.geometry, 'en') || a.id - b.id)
}

/** Joins lines whose ends touch. */
export function joinLines(lines: Position[][]): Position[][] {
  const rest = lines.filter((line) => line.length > 1)
  for (let first = 0; first < rest.length; first++) {
    const second = rest.findIndex((line, index) => index !== first && touch(rest[first]!.at(-1), line[0]))
    if (second < 0) continue
    rest[first] = [...rest[first]!, ...rest[second]!.slice(1)]
    rest.splice(second, 1)
    first = -1
  }
  return rest
}

const touch = (a: Position | undefined, b: Position | undefined) =>
  a !== undefined && b !== undefined && Math.abs(a[0] - b[0]) <= GAP && Math.abs(a[1] - b[1]) <= GAP
