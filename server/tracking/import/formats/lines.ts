import { setImmediate } from 'node:timers/promises'
import { type CsvError, type Info, Parser } from 'csv-parse'
import { FILE_SHAPE } from '#contracts/lib/upload-limits.ts'
import type { FileFix, Sink } from '#server/tracking/import/fixes.ts'
import { createTextDecoder, type Reader, refuseFile, toKmh, toNumber, toTime } from '#server/tracking/import/reader.ts'

/** The longest line; a longer one is not text of these formats. */
const MAX_LINE = 1 << 16

function createLineReader(take: (line: string, number: number) => void): Reader {
  const decode = createTextDecoder()
  let open = ''
  let number = 0
  const write = (text: string) => {
    const [first = '', ...others] = text.split('\n')
    open += first
    if (open.length > MAX_LINE) throw refuseFile('broken', number + 1)
    for (const next of others) {
      take(open, ++number)
      open = next
    }
  }
  return {
    write: (bytes) => write(decode(bytes)),
    end() {
      write(decode())
      if (open !== '') take(open, ++number)
    },
  }
}

/** Lines of the OwnTracks recorder: time, kind and JSON, with tabs between them. Other kinds than locations are passed over. */
export const createRecReader = (sink: Sink): Reader =>
  createLineReader((line, number) => {
    if (line.trim() === '') return
    const [, , body = ''] = line.split('\t')
    const message = parseObject(body)
    if (!message) return sink.skip(number, 'unreadable')
    if (message._type === 'location') sink.add(ownTracksFix(message), number)
  })

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** `vel` is in km/h. */
const ownTracksFix = (message: Record<string, unknown>): FileFix => ({
  lat: toNumber(message.lat) ?? Number.NaN,
  lng: toNumber(message.lon) ?? Number.NaN,
  time: toTime(message.tst),
  precision: toNumber(message.acc),
  speed: toNumber(message.vel),
  course: toNumber(message.cog),
  altitude: toNumber(message.alt),
  battery: toNumber(message.batt),
})

// --- csv ----------------------------------------------------------------------------------------------------------

/** Names of the columns in the files of common programs, in lower case without what is not a letter. */
const COLUMNS = {
  time: ['datetime', 'time', 'timestamp', 'dateandtime', 'utc', 'utctime', 'gpstime', 'timeutc', 'fixtime', 'recordedat'],
  date: ['date'],
  lat: ['latitude', 'lat', 'gpslat', 'positionlat'],
  lng: ['longitude', 'lon', 'lng', 'long', 'gpslon', 'positionlong'],
  precision: ['precision', 'accuracy', 'acc', 'hacc', 'horizontalaccuracy', 'accuracym'],
  speed: ['speed', 'speedkmh', 'velocity', 'vel', 'kmh'],
  speedMs: ['speedms', 'speedmps', 'speedmetersperseconds'],
  course: ['course', 'bearing', 'heading', 'direction', 'cog'],
  altitude: ['altitude', 'alt', 'ele', 'elevation', 'height', 'altitudem', 'elevationm'],
  battery: ['battery', 'batt', 'batterylevel'],
  event: ['event'],
  mark: ['mark'],
} as const
type Column = keyof typeof COLUMNS
type Order = Partial<Record<Column, number>>

/** Reads csv with comma, semicolon or tab, whichever its header has most of, in any order of columns. */
export function createCsvReader(sink: Sink): Reader {
  const decode = createTextDecoder()
  let head = ''
  let parser: ReturnType<typeof createParser> | null = null
  const write = (text: string) => {
    if (parser) return parser.write(text)
    head += text
    if (head.includes('\n')) start()
    else if (head.length > MAX_LINE) throw refuseFile('unknown_format', 1)
  }
  const start = () => {
    parser = createParser(sink, findDelimiter(head.slice(0, head.indexOf('\n') + 1 || undefined)))
    parser.write(head)
    head = ''
  }
  return {
    write: (bytes) => write(decode(bytes)),
    end() {
      write(decode())
      if (!parser) start()
      return parser?.end()
    },
  }
}

const findDelimiter = (header: string) => [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!

/** The parser of `csv-parse` without its stream, so that a row is handled within the call that completes it. */
function createParser(sink: Sink, delimiter: string) {
  let order: Order | null = null
  const options = {
    delimiter,
    // All of them, wherever they stand: else the parser takes the first one for all, and the rest of a line end for a row.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: MAX_LINE,
  }
  const parser = new Parser(options)
  const onRow = ({ record, info }: { record: string[]; info: Info }) => {
    const line = info.lines
    if (record.length > FILE_SHAPE.keys) throw refuseFile('too_complex', line)
    if (order) return sink.add(csvFix(record, order), line)
    order = findOrder(record)
    if (order.lat === undefined || order.lng === undefined || (order.time ?? order.date) === undefined)
      throw refuseFile('unknown_format', line)
  }
  const drain = () => {
    for (let row = parser.read(); row !== null; row = parser.read()) onRow(row)
  }
  let failure: Error | null = null
  parser.on('error', (error: CsvError & { lines?: number }) => {
    failure = refuseFile('broken', error.lines)
  })
  const check = () => {
    if (failure) throw failure
    drain()
  }
  return {
    write(text: string) {
      parser.write(text)
      check()
    },
    /** The parser reports its errors after the call. */
    async end() {
      parser.end()
      drain()
      await setImmediate()
      check()
    },
  }
}

function findOrder(header: string[]): Order {
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const order: Order = {}
  for (const [column, known] of Object.entries(COLUMNS)) {
    const index = names.findIndex((name) => (known as readonly string[]).includes(name))
    if (index >= 0) order[column as Column] = index
  }
  // GPSLogger writes metres per second.
  if (order.speed !== undefined && names.includes('satellites') && names.includes('bearing')) {
    order.speedMs = order.speed
    delete order.speed
  }
  return order
}

function csvFix(record: string[], order: Order): FileFix {
  const cell = (column: Column) => (order[column] === undefined ? undefined : record[order[column]]?.trim() || undefined)
  const number = (column: Column) => toNumber(cell(column)?.replace(/^(-?\d+),(\d+)$/, '$1.$2'))
  const [date, time] = [cell('date'), cell('time')]
  return {
    lat: number('lat') ?? Number.NaN,
    lng: number('lng') ?? Number.NaN,
    time: toTime(date && time && !time.includes(date) ? `${date} ${time}` : (time ?? date)),
    precision: number('precision'),
    speed: number('speed') ?? toKmh(number('speedMs')),
    course: number('course'),
    altitude: number('altitude'),
    battery: number('battery'),
    event: cell('event'),
    mark: cell('mark'),
  }
}
