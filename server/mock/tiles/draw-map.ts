import { PER_PIXEL, type TileFeature } from './fit-tile.ts'
import { formatPath } from './path.ts'
import { fills, type Palette, roads, strokes, widthAtZoom } from './style.ts'

const EDGE = 0.8

export const drawCityLand = (features: TileFeature[], palette: Palette) =>
  drawAreas(
    features.filter(({ layer }) => layer === 'land').map(({ lines }) => formatPath(lines, true)),
    palette.land,
  )

/** Draws areas, thin lines and streets over the land, with one path for each style. */
export function drawMap(features: TileFeature[], zoom: number, palette: Palette): string {
  const dataOf = (layer: string, kinds: string[] | undefined) => {
    const chosen = features.filter((feature) => feature.layer === layer && (!kinds || kinds.includes(feature.kind)))
    return chosen.map(({ lines, geometry }) => formatPath(lines, geometry === 'area'))
  }
  const grounds = fills.filter(({ from }) => zoom >= from).map(({ layer, kinds, ink }) => drawAreas(dataOf(layer, kinds), palette[ink]))
  const lines = strokes
    .filter(({ from }) => zoom >= from)
    .map(({ layer, kinds, ink, width }) => drawStroke(joinPaths(dataOf(layer, kinds)), palette[ink], widthAtZoom(width, zoom)))
  const drawn = Object.entries(roads)
    .filter(([, { from }]) => zoom >= from)
    .map(([kind, { width, ink }], index) => ({
      id: `r${index}`,
      data: joinPaths(dataOf('road', [kind])),
      width: widthAtZoom(width, zoom),
      ink,
    }))
    .filter(({ data }) => data !== '')
  // Each street is painted twice, edge first, so its path is defined once and referenced.
  const defs = drawn.map(({ id, data }) => `<path id="${id}" d="${data}"/>`).join('')
  const edges = drawn.map(({ id, width, ink }) => (zoom < 12 || ink === 'path' ? '' : drawUse(id, palette[`${ink}Edge`], width + 2 * EDGE)))
  const streets = drawn.map(({ id, width, ink }) => drawUse(id, palette[ink], width))
  const round = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">`
  return `<defs>${defs}</defs>${grounds.join('')}${round}${lines.join('')}${edges.join('')}${streets.join('')}</g>`
}

/** Joins relative paths; each must start at an absolute point. */
const joinPaths = (paths: string[]) =>
  paths
    .filter((path) => path !== '')
    .map((path) => `M${path.slice(1)}`)
    .join('')

/**
 * Each area keeps its own path, so that a pitch inside a stadium does not become a hole. The outline in the same colour hides seams along
 * the tile borders of the source data.
 */
function drawAreas(paths: string[], ink: string): string {
  const drawn = paths.filter((path) => path !== '').map((path) => `<path d="${path}"/>`)
  return drawn.length > 0 ? `<g fill="${ink}" fill-rule="evenodd" stroke="${ink}" stroke-width="2">${drawn.join('')}</g>` : ''
}

const drawUse = (id: string, ink: string, width: number) =>
  `<use href="#${id}" stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}"/>`

const drawStroke = (data: string, ink: string, width: number) =>
  data ? `<path stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}" d="${data}"/>` : ''
