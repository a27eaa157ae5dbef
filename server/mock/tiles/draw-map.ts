import { formatPath, PER_PIXEL, type Point, type TileFeature } from './fit-tile.ts'
import type { PlaceLabel, StreetLabel } from './labels.ts'
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
 * Each area has its own path, so that a pitch inside a stadium does not become a hole. The outline in the same colour hides seams along the
 * tile borders of the source data.
 */
function drawAreas(paths: string[], ink: string): string {
  const drawn = paths.filter((path) => path !== '').map((path) => `<path d="${path}"/>`)
  return drawn.length > 0 ? `<g fill="${ink}" fill-rule="evenodd" stroke="${ink}" stroke-width="2">${drawn.join('')}</g>` : ''
}

const drawUse = (id: string, ink: string, width: number) =>
  `<use href="#${id}" stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}"/>`

const drawStroke = (data: string, ink: string, width: number) =>
  data ? `<path stroke="${ink}" stroke-width="${Math.round(width * PER_PIXEL * 10) / 10}" d="${data}"/>` : ''

/** Deviation from a straight line, in units, up to which a name is drawn straight, which is crisper and shorter. */
const STRAIGHT = 1.5 * PER_PIXEL

export function drawLabels(streets: StreetLabel[], places: PlaceLabel[], palette: Palette): string {
  if (streets.length + places.length === 0) return ''
  const halo = `stroke="${palette.halo}" stroke-width="${3 * PER_PIXEL}" stroke-linejoin="round" paint-order="stroke"`
  const font = 'font-family="Inter, system-ui, sans-serif" text-anchor="middle"'
  const upright = places.map(({ name, at, size, ink }) => {
    const [x, y] = [Math.round(at[0]), Math.round(at[1] + size * 0.36)]
    return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${ink === 'place' ? 600 : 500}" fill="${palette[ink]}">${escapeXml(name)}</text>`
  })
  const along = streets.map((label, index) => (isStraight(label.line) ? straight(label) : curved(label, index)))
  return `<g ${font} ${halo} font-weight="500" fill="${palette.street}">${along.join('')}${upright.join('')}</g>`
}

function straight({ name, line, size }: StreetLabel): string {
  const [[ax, ay], [bx, by]] = [line[0]!, line.at(-1)!]
  const angle = Math.round((Math.atan2(by - ay, bx - ax) * 1800) / Math.PI) / 10
  const place = `translate(${Math.round((ax + bx) / 2)} ${Math.round((ay + by) / 2)})rotate(${angle})`
  return `<text transform="${place}" y="${Math.round(size * 0.35)}" font-size="${size}">${escapeXml(name)}</text>`
}

function curved({ name, line, size }: StreetLabel, index: number): string {
  const path = `<path id="s${index}" fill="none" stroke="none" d="${formatPath([line], false)}"/>`
  const text = `<textPath href="#s${index}" startOffset="50%">${escapeXml(name)}</textPath>`
  return `${path}<text dy="${Math.round(size * 0.35)}" font-size="${size}">${text}</text>`
}

function isStraight(line: Point[]): boolean {
  const [[ax, ay], [bx, by]] = [line[0]!, line.at(-1)!]
  const length = Math.hypot(bx - ax, by - ay) || 1
  return line.every(([x, y]) => Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length <= STRAIGHT)
}

const escapeXml = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)
