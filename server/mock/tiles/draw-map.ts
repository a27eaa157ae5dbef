import { PER_PIXEL, type TileFeature } from './fit-tile.ts'
import { pathOf } from './path.ts'
import { fills, type Palette, roads, strokes, widthAt } from './style.ts'

const EDGE = 0.8

/** The city's land, on which all else of it lies. */
export const drawCityLand = (features: TileFeature[], palette: Palette) =>
  areas(
    features.filter(({ layer }) => layer === 'land').map(({ lines }) => pathOf(lines, true)),
    palette.land,
  )

/** What lies on the land: areas, thin lines, streets; one path for each style. */
export function drawMap(features: TileFeature[], zoom: number, palette: Palette): string {
  const dataOf = (layer: string, kinds: string[] | undefined) => {
    const chosen = features.filter((feature) => feature.layer === layer && (!kinds || kinds.includes(feature.kind)))
    return chosen.map(({ lines, geometry }) => pathOf(lines, geometry === 'area'))
  }
  const grounds = fills.filter(({ from }) => zoom >= from).map(({ layer, kinds, ink }) => areas(dataOf(layer, kinds), palette[ink]))
  const lines = strokes
    .filter(({ from }) => zoom >= from)
    .map(({ layer, kinds, ink, width }) => stroke(join(dataOf(layer, kinds)), palette[ink], widthAt(width, zoom)))
  const drawn = Object.entries(roads)
    .filter(([, { from }]) => zoom >= from)
    .map(([kind, { width, ink }], index) => ({ id: `r${index}`, data: join(dataOf('road', [kind])), width: widthAt(width, zoom), ink }))
    .filter(({ data }) => data !== '')
  // A street is painted twice, its edge first, but said once.
  const defs = drawn.map(({ id, data }) => `<path id="${id}" d="${data}"/>`).join('')
  const edges = drawn.map(({ id, width, ink }) => (zoom < 12 || ink === 'path' ? '' : use(id, palette[`${ink}Edge`], width + 2 * EDGE)))
  const streets = drawn.map(({ id, width, ink }) => use(id, palette[ink], width))
  const round = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">`
  return `<defs>${defs}</defs>${grounds.join('')}${round}${lines.join('')}${edges.join('')}${streets.join('')}</g>`
}

/** Paths told one after the other, each from where a fresh one would start. */
const join = (paths: string[]) =>
  paths
    .filter((path) => path !== '')
    .map((path) => `M${path.slice(1)}`)
    .join('')

/**
 * Areas keep a path each, for a pitch within a stadium must not become a hole in it. The thin line in their own colour closes
 * the seam where a tile border of the data cut them in two.
 */
function areas(paths: string[], ink: string): string {
  const drawn = paths.filter((path) => path !== '').map((path) => `<path d="${path}"/>`)
  return drawn.length > 0 ? `<g fill="${ink}" fill-rule="evenodd" stroke="${ink}" stroke-width="2">${drawn.join('')}</g>` : ''
}

const use = (id: string, ink: string, width: number) =>
  `<use href="#${id}" stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}"/>`

const stroke = (data: string, ink: string, width: number) =>
  data ? `<path stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}" d="${data}"/>` : ''
