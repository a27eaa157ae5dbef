import { PER_PIXEL, type Point, type TileFeature, UNITS } from './fit-tile.ts'
import { discsAlong, type LabelRoom } from './label-room.ts'
import { textWidth } from './text-width.ts'

export type PlaceLabel = { name: string; at: Point; size: number; ink: 'place' | 'parkName' }

type Rule = { layer: string; kind: string; from: number; to: number; size: number; ink: PlaceLabel['ink'] }

/** By importance; sizes in pixels. */
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
/** A little more than `createRoom` requires, so that rounding does not reject a label that was moved inside. */
const MARGIN = 4 * PER_PIXEL
/** Width of semibold letters relative to regular ones. */
const BOLD = 1.1

/** Places the names of countries, districts and parks, moved inside where a border would cut them. */
export function labelPlaces(features: TileFeature[], zoom: number, room: LabelRoom): PlaceLabel[] {
  return RULES.flatMap((rule) => {
    const fitting = features.filter(({ layer, kind, name }) => layer === rule.layer && kind === rule.kind && name)
    return zoom < rule.from || zoom > rule.to ? [] : fitting.flatMap(({ name, lines }) => placeName(name!, lines[0]![0]!, rule, room))
  })
}

function placeName(name: string, [x, y]: Point, { size, ink }: Rule, room: LabelRoom): PlaceLabel[] {
  // Neighbouring tiles see the point in their margin, but only the tile that contains it shows the name.
  if (x < 0 || y < 0 || x >= UNITS || y >= UNITS || room.has(name)) return []
  const height = size * PER_PIXEL
  const half = (textWidth(name) * BOLD * height) / 2
  const radius = height * 0.62
  const reach = half + radius + MARGIN
  if (reach * 2 > UNITS) return []
  const at: Point = [Math.min(UNITS - reach, Math.max(reach, x)), Math.min(UNITS - radius - MARGIN, Math.max(radius + MARGIN, y))]
  const centres = discsAlong(2 * half, radius, (distance) => [at[0] - half + distance, at[1]])
  return room.take(name, centres, radius) ? [{ name, at, size: height, ink }] : []
}
