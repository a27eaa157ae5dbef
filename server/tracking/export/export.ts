import { EXPORT_TYPES, type ExportFormat } from '#contracts/data.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import type { PositionColumns, PositionReads } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Download } from '#server/http/serve.ts'
import { exportFilename, historyCsv, readColumns } from '#server/tracking/history/csv.ts'
import type { History, Period } from '#server/tracking/history/history.ts'

import { formatGeoJson } from './geojson.ts'
import { formatGpx } from './gpx.ts'
import { formatKml } from './kml.ts'
import type { Named } from './xml.ts'

type Blocks = AsyncIterable<PositionColumns>

const formats = {
  gpx: (device: Named, blocks: Blocks) => formatGpx(device, leaveOutWrong(blocks)),
  kml: (device: Named, blocks: Blocks) => formatKml(device, leaveOutWrong(blocks)),
  geojson: formatGeoJson,
} as const

/** Streams the positions of a period in a format that other programs read. */
export function exportHistory({ positions, geocode }: History, device: DeviceRow, period: Period, format: ExportFormat): Download {
  const filename = exportFilename(device.name, period, format)
  const contentType = EXPORT_TYPES[format]
  if (format === 'csv') return { filename, content: historyCsv({ positions, geocode }, device.id, period, true), contentType }
  return { filename, content: formats[format](device, readColumns(positions, device.id, period)), contentType }
}

const KEPT = POSITION_MARKS.indexOf('kept')

/** The positions of a period as a GPX file. */
export const streamGpx = (positions: PositionReads, device: Named & { id: number }, period: Period) =>
  formats.gpx(device, readColumns(positions, device.id, period))

/** Removes positions that look wrong, for formats that draw a line through all of them. */
async function* leaveOutWrong(blocks: Blocks): AsyncGenerator<PositionColumns> {
  for await (const block of blocks) {
    const isRight = (mark: number | null | undefined) => mark === null || mark === undefined || mark === KEPT
    if (block.mark.every(isRight)) {
      yield block
      continue
    }
    const keep = (values: (number | null)[]) => values.filter((_, row) => isRight(block.mark[row]))
    yield Object.fromEntries(Object.entries(block).map(([name, values]) => [name, keep(values)])) as PositionColumns
  }
}
