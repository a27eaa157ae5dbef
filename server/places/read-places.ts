import { CsvError, parse } from 'csv-parse/sync'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { CSV_MAX_ROWS } from '#contracts/places.ts'
import {
  findDelimiter,
  type PlaceCsvFaults,
  type PlaceCsvRow,
  parsePlaceCsvHeader,
  parsePlaceCsvRow,
  readSeparatorLine,
} from '#contracts/rules/geo/place-csv.ts'
import { decodeText } from '#contracts/rules/reading/encoding.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { readBytes } from '#server/lib/workers/read-bytes.ts'

/** A row and the line of the file where it starts, counted from 1; `cells` is null when its quotes are invalid. */
export type CsvRecord = { line: number; cells: string[] | null }

/**
 * Parses CSV rows from bytes, without blank lines. Quotes follow RFC 4180; the header decides between comma, semicolon and tab. A row with an
 * unclosed or misplaced quote ends with its line and parsing resumes on the next one, so that a broken row never swallows others.
 */
export async function* parseCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const reader = createReader()
  for await (const line of splitLines(bytes)) yield* reader.take(line)
  yield* reader.end()
}

function createReader() {
  let delimiter: string | undefined
  /** Lines of the current row, which starts at line `first` and continues while a quote is open. */
  let lines: string[] = []
  let first = 1
  let isQuoted = false

  function* take(line: string): Generator<CsvRecord> {
    lines.push(line)
    if (hasOddQuotes(line)) isQuoted = !isQuoted
    if (!isQuoted) yield* end()
  }

  function* end(): Generator<CsvRecord> {
    const [line, read] = [first, lines]
    const text = read.join('')
    const separator = delimiter === undefined ? readSeparatorLine(text) : undefined
    const isPassed = text.trim() === '' || separator !== undefined
    delimiter ??= separator
    if (!isPassed) delimiter ??= findDelimiter(text, parseCells)
    const cells = isQuoted || isPassed ? null : parseCells(text, delimiter)
    if (!isPassed) yield { line, cells }
    const isRead = isPassed || cells !== null
    first += isRead ? read.length : 1
    lines = []
    isQuoted = false
    if (!isRead) for (const again of read.slice(1)) yield* take(again)
  }

  return { take, end }
}

const hasOddQuotes = (line: string) => line.split('"').length % 2 === 0

function parseCells(text: string, delimiter: string | undefined): string[] | null {
  try {
    const [cells] = parse(text, { delimiter, record_delimiter: ['\r\n', '\n'] })
    return cells ?? null
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/** Splits an uploaded file into lines including their line end. Rejects files that are not text. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(Uint8Array.from(piece))
  const text = decodeText(Buffer.concat(pieces))
  if (text === null) throw invalidField(UPLOAD_FIELD, 'Not text')
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end + 1)
    start = end + 1
  }
  if (start < text.length) yield text.slice(start)
}

/** Limits how much of an invalid header the response repeats. */
const HEADER_ECHO_LIMIT = { columns: 10, characters: 60 }

/** A place's row, or its errors. */
export type PlaceRecord = { line: number } & ({ row: PlaceCsvRow } | { faults: PlaceCsvFaults })

/** Reads a csv of places. Throws a failure if it cannot be read as a whole. */
export async function readPlaces(fd: number): Promise<PlaceRecord[]> {
  const records: PlaceRecord[] = []
  let order: Parameters<typeof parsePlaceCsvRow>[1] | undefined
  for await (const { line, cells } of parseCsvRecords(readBytes(fd))) {
    if (!order) {
      order = parseHeader(cells ?? [])
      continue
    }
    if (records.length === CSV_MAX_ROWS) throw new Failure('too_many_rows')
    records.push({ line, ...(cells ? parsePlaceCsvRow(cells, order) : { faults: { row: ['quotes'] } }) })
  }
  if (!order) parseHeader([])
  return records
}

function parseHeader(cells: string[]) {
  const header = parsePlaceCsvHeader(cells)
  if ('order' in header) return header.order
  const unexpected = header.unexpected.slice(0, HEADER_ECHO_LIMIT.columns).map((name) => name.slice(0, HEADER_ECHO_LIMIT.characters))
  throw new Failure('csv_header', { missing: header.missing, unexpected })
}
