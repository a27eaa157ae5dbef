import { setImmediate } from 'node:timers/promises'
import type { ExportFormat } from '#contracts/data.ts'
import type { PositionColumns, PositionReads } from '#db/positions.ts'
import { createCsvRows } from './csv-rows.ts'
import { type History, type Period, periodSeconds } from './history.ts'

export const HISTORY_CSV_COLUMNS = ['datetime', 'latitude', 'longitude', 'precision', 'address', 'event', 'battery'] as const
/** Columns that a csv export adds to those of a history. */
const MEASURED_CSV_COLUMNS = ['speed', 'course', 'altitude', 'mark'] as const

/** Rows between two yields to the event loop: about a millisecond. */
const ROWS_AT_ONCE = 1000
const headerOf = (columns: readonly string[]) => Buffer.from(`\uFEFF${columns.join(',')}\r\n`)
const HEADER = headerOf(HISTORY_CSV_COLUMNS)
const LONG_HEADER = headerOf([...HISTORY_CSV_COLUMNS, ...MEASURED_CSV_COLUMNS])

/** Streams the positions of a period as CSV: UTF-8 with a byte order mark, CRLF. `isLong` adds the measured columns and the mark. */
export async function* historyCsv(
  { positions, geocode }: History,
  deviceId: number,
  period: Period,
  isLong = false,
): AsyncGenerator<Buffer> {
  const formatRows = createCsvRows(geocode.nearest, isLong)
  yield isLong ? LONG_HEADER : HEADER
  for await (const columns of readColumns(positions, deviceId, period)) yield formatRows(columns)
}

/** Reads the positions of a period in blocks, oldest first, and yields to other requests between them. */
export async function* readColumns(
  positions: Pick<PositionReads, 'columns'>,
  deviceId: number,
  period: Period,
): AsyncGenerator<PositionColumns> {
  const { first, last } = periodSeconds(period)
  for (let from = first; ; ) {
    const columns = await positions.columns(deviceId, from, last, ROWS_AT_ONCE)
    const count = columns.time.length
    if (count > 0) yield columns
    if (count < ROWS_AT_ONCE) return
    from = (columns.time.at(-1) ?? last) + 1
    await setImmediate()
  }
}

/** `{name}_{from}_{to}.csv` with days in UTC; characters that file names forbid become hyphens. */
export const exportFilename = (name: string, { from, to }: Period, format: ExportFormat = 'csv') =>
  `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${day(from)}_${day(to)}.${format}`

const day = (date: Date) => date.toISOString().slice(0, 10)
