import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import type { PositionColumns } from '#db/positions.ts'
import { formatDegrees, formatSecond, type Named, present } from './xml.ts'

/** Formats positions as GeoJSON (RFC 7946): a point each, with its time and measurements. A position that looks wrong has a `mark`. */
export async function* formatGeoJson({ name }: Named, blocks: AsyncIterable<PositionColumns>): AsyncGenerator<string> {
  yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[`
  let isFirst = true
  for await (const columns of blocks) {
    let text = ''
    for (let row = 0; row < columns.time.length; row++) {
      text += isFirst ? '\n' : ',\n'
      text += formatFeature(columns, row)
      isFirst = false
    }
    yield text
  }
  yield '\n]}\n'
}

function formatFeature({ time, lat, lng, precision, event, battery, speed, course, altitude, mark }: PositionColumns, row: number) {
  const [tenths, metres] = [speed[row], altitude[row]]
  const properties = JSON.stringify({
    time: formatSecond(time[row]!),
    precision: precision[row],
    event: EVENT_TYPES[event[row] ?? -1],
    battery: battery[row] ?? undefined,
    speed: present(tenths) ? tenths / 10 : undefined,
    course: course[row] ?? undefined,
    mark: POSITION_MARKS[mark[row] ?? -1],
  })
  const place = `${formatDegrees(lng[row]!)},${formatDegrees(lat[row]!)}${present(metres) ? `,${metres}` : ''}`
  return `{"type":"Feature","geometry":{"type":"Point","coordinates":[${place}]},"properties":${properties}}`
}
