import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import type { PositionColumns } from '#db/positions.ts'
import { escapeXml, formatDegrees, formatSecond, isGap, type Named, present } from './xml.ts'

/** Values besides time and place, in the order in which they are written, with their types. `speed` is in km/h. */
const FIELDS = { precision: 'int', event: 'string', battery: 'int', speed: 'float', course: 'int' } as const

const SCHEMA = Object.entries(FIELDS)
  .map(([name, type]) => `<gx:SimpleArrayField name="${name}" type="${type}"/>`)
  .join('')

/**
 * Formats positions as KML 2.2 with Google's `gx:Track`, whose schema requires all times of a track before its coordinates: a track for
 * each block of positions and after each gap. Only tracks without a gap between them are joined by a line.
 */
export async function* formatKml({ name }: Named, blocks: AsyncIterable<PositionColumns>): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document><name>${escapeXml(name)}</name>
<Schema id="position">${SCHEMA}</Schema>
`
  let before: number | null = null
  for await (const columns of blocks) {
    let text = ''
    const count = columns.time.length
    for (let first = 0, end = 0; first < count; first = end) {
      const isJoined = before !== null && !isGap(before, columns.time[first]!)
      if (before !== null && !isJoined) text += CLOSE
      if (!isJoined) text += `<Placemark><name>${escapeXml(name)}</name><gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n`
      for (end = first + 1; end < count && !isGap(columns.time[end - 1]!, columns.time[end]!); ) end++
      text += formatTrack(columns, first, end)
      before = columns.time[end - 1]!
    }
    yield text
  }
  yield `${before === null ? '' : CLOSE}</Document>\n</kml>\n`
}

const CLOSE = '</gx:MultiTrack></Placemark>\n'

function formatTrack(columns: PositionColumns, first: number, end: number) {
  const { time, lat, lng, altitude } = columns
  let text = '<gx:Track>'
  for (let row = first; row < end; row++) text += `<when>${formatSecond(time[row]!)}</when>\n`
  for (let row = first; row < end; row++) {
    const metres = altitude[row]
    text += `<gx:coord>${formatDegrees(lng[row]!)} ${formatDegrees(lat[row]!)}${present(metres) ? ` ${metres}` : ''}</gx:coord>\n`
  }
  text += '<ExtendedData><SchemaData schemaUrl="#position">'
  for (const field of Object.keys(FIELDS)) {
    text += `<gx:SimpleArrayData name="${field}">`
    for (let row = first; row < end; row++) text += `<gx:value>${formatField(columns, field as keyof typeof FIELDS, row)}</gx:value>`
    text += '</gx:SimpleArrayData>\n'
  }
  return `${text}</SchemaData></ExtendedData></gx:Track>\n`
}

function formatField(columns: PositionColumns, field: keyof typeof FIELDS, row: number) {
  const value = columns[field][row]
  if (!present(value)) return ''
  if (field === 'event') return EVENT_TYPES[value] ?? ''
  return field === 'speed' ? value / 10 : value
}
