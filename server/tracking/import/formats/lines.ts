import { setImmediate } from 'node:timers/promises'
import { type CsvError, type Info, Parser } from 'csv-parse'
import { FILE_SHAPE } from '#contracts/limits/upload-limits.ts'
import { createTextDecoder } from '#contracts/rules/reading/encoding.ts'
import type { Sink } from './fixes.ts'
import { type Reader, refuseFile } from './fixes.ts'
import { createRowReader, hasPosition, hasTime, type Layout, readFix, readNames } from './names.ts'

/** The longest line; a longer one is not text of these formats. */
const MAX_LINE = 1 << 16

function createLineReader(take: (line: string, number: number, isLast: boolean) => void): Reader {
  const decode = createTextDecoder()
  let open = ''
  let number = 0
  const write = (text: string) => {
    const [first = '', ...others] = text.split('\n')
    open += first
    if (open.length > MAX_LINE) throw refuseFile('broken', number + 1)
    for (const next of others) {
      take(open, ++number, false)
      open = next
    }
  }
  return {
    write: (bytes) => write(decode(bytes)),
    end() {
      write(decode())
      if (open !== '') take(open, ++number, true)
    },
  }
}

/** A line of the OwnTracks recorder: time, kind and JSON, separated by tabs, or by blanks if a program replaced them. */
export const REC_LINE = /^\d{4}-\d\d-\d\dT\S+(?:\t[^\t\n]*\t|[\t ]+\S+[\t ]+\{)/

/** Kinds other than locations are skipped. */
export function createRecReader(sink: Sink): Reader {
  const readRow = createRowReader()
  return createLineReader((line, number, isLast) => {
    if (line.trim() === '') return
    const start = line.indexOf('{')
    const message = parseObject(start < 0 ? '' : line.slice(start))
    if (message) {
      if (message._type === 'location') sink.add(readRow(Object.keys(message), Object.values(message)).fix, number)
    } else if (isLast) sink.damage('ends_early', number)
    else sink.skip(number, 'unreadable')
  })
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

// --- csv ----------------------------------------------------------------------------------------------------------

/** The zeros left by a recorder whose battery ran empty. */
const ZEROS = /^[\0\s]*$/

/** Excel writes the delimiter on a line of its own. */
const SEPARATOR_LINE = /^"?sep=(.)"?\s*?(?:\r\n|\r|\n|$)/i

/** Reads csv with comma, semicolon, tab or bar, whichever is most frequent in its header, in any order of columns. */
export function createCsvReader(sink: Sink): Reader {
  const decode = createTextDecoder()
  let head = ''
  let parser: ReturnType<typeof createParser> | null = null
  const write = (text: string) => {
    if (parser) return parser.write(text)
    head += text
    if (/[\r\n]/.test(head.replace(SEPARATOR_LINE, '').trimStart())) start()
    else if (head.length > MAX_LINE) throw refuseFile('unknown_format', 1)
  }
  const start = () => {
    const separator = SEPARATOR_LINE.exec(head)
    const rest = separator ? head.slice(separator[0].length) : head
    const [header = ''] = rest.trimStart().split(/[\r\n]/, 1)
    parser = createParser(sink, separator?.[1] ?? findDelimiter(header), separator ? 1 : 0)
    parser.write(rest)
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

const findDelimiter = (header: string) => [',', ';', '\t', '|'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!

/** The parser of `csv-parse` without its stream, so that a row is handled within the call that completes it. */
function createParser(sink: Sink, delimiter: string, linesBefore: number) {
  let order: { layout: Layout; columns: number } | null = null
  /** The last row, held back until another one follows, because the last row of a file may be truncated. */
  let last: { record: string[]; line: number } | null = null
  let endsInLine = false
  const options = {
    delimiter,
    // All line ends, wherever they occur: otherwise the parser uses the first one for the file, and takes the rest of another for a row.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: MAX_LINE,
  }
  const parser = new Parser(options)
  const addRow = (isLast = false) => {
    if (!last || !order) return
    const { record, line } = last
    last = null
    if (record.every((cell) => cell.trim() === '')) return
    if (record.every((cell) => ZEROS.test(cell))) return sink.damage('ends_early', line)
    // The last row of a file may be truncated.
    if (isLast && endsInLine && record.length < order.columns) return sink.damage('ends_early', line)
    sink.add(readFix(order.layout, record, isGpsLogger ? { speedUnit: 'm/s' } : {}), line)
  }
  let isGpsLogger = false
  const onRow = ({ record, info }: { record: string[]; info: Info }) => {
    const line = info.lines + linesBefore
    if (record.length > FILE_SHAPE.keys) throw refuseFile('too_complex', line)
    if (order) {
      addRow()
      last = { record, line }
      return
    }
    const layout = readNames(record)
    if (!hasPosition(layout) || !hasTime(layout)) throw refuseFile('unknown_format', line)
    order = { layout, columns: record.length }
    sink.pass(layout.unused)
    const names = record.map((name) => name.toLowerCase())
    // GPSLogger writes metres per second.
    isGpsLogger = names.includes('satellites') && names.includes('bearing')
  }
  const drain = () => {
    for (let row = parser.read(); row !== null; row = parser.read()) onRow(row)
  }
  let failure: Error | null = null
  let isOver = false
  parser.on('error', (error: CsvError & { lines?: number }) => {
    isOver = true
    if (order) sink.damage(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'ends_early' : 'damaged', (error.lines ?? 1) + linesBefore)
    else failure = refuseFile('broken', error.lines)
  })
  const check = () => {
    if (failure) throw failure
    drain()
  }
  return {
    write(text: string) {
      if (isOver) return
      if (text !== '') endsInLine = !/[\r\n]$/.test(text)
      parser.write(text)
      check()
    },
    /** The parser reports its errors after the call. */
    async end() {
      if (!isOver) parser.end()
      drain()
      await setImmediate()
      check()
      addRow(true)
      if (!order) throw refuseFile('unknown_format', 1)
    },
  }
}
