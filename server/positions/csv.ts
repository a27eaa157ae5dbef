import { setImmediate } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { HISTORY_CSV_COLUMNS } from '#contracts/constants.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { csvCell } from '#contracts/rules/csv-cell.ts'
import type { World } from '#server/lib/world.ts'
import { type Period, secondsOf } from './period.ts'
import { presentPoint } from './present.ts'

/** So few that other requests get a turn between two of them. */
const ROWS_AT_ONCE = 500

/** The positions of a period as csv (D-30), read and sent piece by piece: UTF-8 with a byte order mark, CRLF. */
export async function* historyCsv(
  { positions, geocode }: Pick<World, 'positions' | 'geocode'>,
  deviceId: number,
  period: Period,
): AsyncGenerator<string> {
  const { first, last } = secondsOf(period)
  let from = first
  for (let isFirst = true; ; isFirst = false) {
    const rows = positions.range(deviceId, from, last, ROWS_AT_ONCE, 0)
    const cells = rows.map((row) => cellsOf(presentPoint(deviceId, row, geocode)))
    const text = stringify(cells, { bom: isFirst, header: isFirst, columns: [...HISTORY_CSV_COLUMNS], record_delimiter: 'windows' })
    if (text) yield text
    if (rows.length < ROWS_AT_ONCE) return
    from = (rows.at(-1)?.time ?? last) + 1
    await setImmediate()
  }
}

const cellsOf = ({ datetime, lat, lng, precision, address, event, battery }: HistoryPoint) => ({
  datetime,
  latitude: lat.toFixed(7),
  longitude: lng.toFixed(7),
  precision,
  address: csvCell(address),
  event: csvCell(event),
  battery,
})

/** `{name}_{from}_{to}.csv` with days in UTC; a name may hold what a file's name may not. */
export const csvFilename = (name: string, { from, to }: Period) =>
  `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${day(from)}_${day(to)}.csv`

const day = (date: Date) => date.toISOString().slice(0, 10)
