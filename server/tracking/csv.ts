import { setImmediate } from 'node:timers/promises'
import { EVENT_TYPES, HISTORY_CSV_COLUMNS } from '#contracts/lib/constants.ts'
import { escapeCsvCell } from '#contracts/rules/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, type PositionRow } from '#db/positions.ts'
import type { Geocoder, World } from '#server/ports/world.ts'
import { type Period, periodSeconds } from './period.ts'

/** Rows between two yields to the event loop. */
const ROWS_AT_ONCE = 500
const HEADER = `\uFEFF${HISTORY_CSV_COLUMNS.join(',')}\r\n`

/** Streams the positions of a period as CSV: UTF-8 with a byte order mark, CRLF. */
export async function* historyCsv(
  { positions, geocode }: Pick<World, 'positions' | 'geocode'>,
  deviceId: number,
  period: Period,
): AsyncGenerator<string> {
  const { first, last } = periodSeconds(period)
  let from = first
  for (let header = HEADER; ; header = '') {
    const rows = await positions.range(deviceId, from, last, ROWS_AT_ONCE, 0)
    const text = rows.reduce((lines, row) => lines + lineOf(row, geocode), header)
    if (text) yield text
    if (rows.length < ROWS_AT_ONCE) return
    from = (rows.at(-1)?.time ?? last) + 1
    await setImmediate()
  }
}

/** Written by hand, because for a year of a million positions a CSV library takes longer per row than the database. */
function lineOf({ time, lat, lng, precision, event, battery }: PositionRow, { nearest }: Geocoder) {
  const address = quoted(escapeCsvCell(addressOf(nearest, { lat: fromFixed7(lat), lng: fromFixed7(lng) })))
  const name = (event === null ? null : EVENT_TYPES[event]) ?? ''
  return `${formatInstant(new Date(time * 1000))},${degrees(lat)},${degrees(lng)},${precision},${address},${name},${battery ?? ''}\r\n`
}

const quoted = (text: string | null) => (text !== null && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : (text ?? ''))

/** Formats degrees stored times 1e7 with seven decimals. */
function degrees(scaled: number) {
  const size = Math.abs(scaled)
  return `${scaled < 0 ? '-' : ''}${Math.trunc(size / 1e7)}.${String(size % 1e7).padStart(7, '0')}`
}

/** `{name}_{from}_{to}.csv` with days in UTC; characters that file names forbid become hyphens. */
export const csvFilename = (name: string, { from, to }: Period) =>
  `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${day(from)}_${day(to)}.csv`

const day = (date: Date) => date.toISOString().slice(0, 10)
