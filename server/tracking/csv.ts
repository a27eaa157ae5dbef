import { setImmediate } from 'node:timers/promises'
import { HISTORY_CSV_COLUMNS } from '#contracts/lib/constants.ts'
import type { World } from '#server/ports/world.ts'
import { createCsvRows } from './csv-rows.ts'
import { type Period, periodSeconds } from './period.ts'

/** Rows between two yields to the event loop: about a millisecond. */
const ROWS_AT_ONCE = 1000
const HEADER = Buffer.from(`\uFEFF${HISTORY_CSV_COLUMNS.join(',')}\r\n`)

/** Streams the positions of a period as CSV: UTF-8 with a byte order mark, CRLF. */
export async function* historyCsv(
  { positions, geocode }: Pick<World, 'positions' | 'geocode'>,
  deviceId: number,
  period: Period,
): AsyncGenerator<Buffer> {
  const { first, last } = periodSeconds(period)
  const formatRows = createCsvRows(geocode.nearest)
  yield HEADER
  for (let from = first; ; ) {
    const columns = await positions.columns(deviceId, from, last, ROWS_AT_ONCE)
    const count = columns.time.length
    if (count > 0) yield formatRows(columns)
    if (count < ROWS_AT_ONCE) return
    from = (columns.time.at(-1) ?? last) + 1
    await setImmediate()
  }
}

/** `{name}_{from}_{to}.csv` with days in UTC; characters that file names forbid become hyphens. */
export const csvFilename = (name: string, { from, to }: Period) =>
  `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${day(from)}_${day(to)}.csv`

const day = (date: Date) => date.toISOString().slice(0, 10)
