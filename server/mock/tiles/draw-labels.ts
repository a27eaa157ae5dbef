import { PER_PIXEL, type Point } from './fit-tile.ts'
import { formatPath } from './path.ts'
import type { PlaceLabel } from './place-labels.ts'
import type { StreetLabel } from './street-labels.ts'
import type { Palette } from './style.ts'

/** Deviation from a straight line, in units, up to which a name is drawn straight, which is crisper and shorter. */
const STRAIGHT = 1.5 * PER_PIXEL

/** Draws labels as SVG: street names along their line, then place names, all with a halo in the colour of the ground. */
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
