import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import type { PositionColumns } from '#db/positions.ts'
import { escapeXml, formatDegrees, formatSecond, isGap, type Named, OWN_NAMESPACE, present } from './xml.ts'

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Whereabouts" xmlns="http://www.topografix.com/GPX/1/1" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:wa="${OWN_NAMESPACE}">
`

/**
 * Formats positions as GPX 1.1: one track, with a new segment after each gap. Speed (m/s) and course are in Garmin's TrackPointExtension,
 * precision, event and battery in a namespace that other programs skip.
 */
export async function* formatGpx({ name }: Named, blocks: AsyncIterable<PositionColumns>): AsyncGenerator<string> {
  yield `${HEAD}<trk><name>${escapeXml(name)}</name>\n`
  let before: number | null = null
  for await (const columns of blocks) {
    let text = ''
    for (let row = 0; row < columns.time.length; row++) {
      const time = columns.time[row]!
      if (before === null) text += '<trkseg>\n'
      else if (isGap(before, time)) text += '</trkseg>\n<trkseg>\n'
      text += formatPoint(columns, row)
      before = time
    }
    yield text
  }
  yield `${before === null ? '' : '</trkseg>\n'}</trk>\n</gpx>\n`
}

function formatPoint({ time, lat, lng, precision, event, battery, speed, course, altitude }: PositionColumns, row: number) {
  const [kmh10, degrees, metres, level] = [speed[row], course[row], altitude[row], battery[row]]
  const name = EVENT_TYPES[event[row] ?? -1]
  const measured = element('tpx:speed', metresPerSecond(kmh10)) + element('tpx:course', degrees)
  const garmin = measured && `<tpx:TrackPointExtension>${measured}</tpx:TrackPointExtension>`
  const extension = `${garmin}<wa:precision>${precision[row]}</wa:precision>${element('wa:event', name)}${element('wa:battery', level)}`
  return `<trkpt lat="${formatDegrees(lat[row]!)}" lon="${formatDegrees(lng[row]!)}">${element('ele', metres)}<time>${formatSecond(time[row]!)}</time><extensions>${extension}</extensions></trkpt>\n`
}

const element = (name: string, value: string | number | null | undefined) =>
  value === null || value === undefined ? '' : `<${name}>${value}</${name}>`

/** Four decimals, so that tenths of km/h survive an import. */
const metresPerSecond = (tenths: number | null | undefined) => (present(tenths) ? (tenths / 36).toFixed(4) : null)
