import { CsvError, parse } from 'csv-parse/sync'
import { CSV_MAX_ROWS } from '#contracts/lib/constants.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import {
  CSV_DELIMITERS,
  type PlaceCsvFaults,
  type PlaceCsvRow,
  parsePlaceCsvHeader,
  parsePlaceCsvRow,
} from '#contracts/rules/geo/place-csv.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { readBytes } from '#server/lib/workers/read-bytes.ts'

/** A row and the line of the file where it starts, counted from 1; `cells` is null when its quotes are invalid. */
export type CsvRecord = { line: number; cells: string[] | null }

/**
 * Parses CSV rows from bytes, without blank lines. Quotes follow RFC 4180; the header decides between comma and semicolon. A row with an
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
    const isBlank = text.trim() === ''
    if (!isBlank) delimiter ??= detectDelimiter(text)
    const cells = isQuoted || isBlank ? null : parseCells(text, delimiter)
    if (!isBlank) yield { line, cells }
    const isRead = isBlank || cells !== null
    first += isRead ? read.length : 1
    lines = []
    isQuoted = false
    if (!isRead) for (const again of read.slice(1)) yield* take(again)
  }

  return { take, end }
}

const hasOddQuotes = (line: string) => line.split('"').length % 2 === 0

/** Returns the delimiter that splits the header into more cells. */
function detectDelimiter(header: string) {
  const [comma, semicolon] = CSV_DELIMITERS
  const count = (delimiter: string) => parseCells(header, delimiter)?.length ?? 0
  return count(semicolon) > count(comma) ? semicolon : comma
}

function parseCells(text: string, delimiter: string | undefined): string[] | null {
  try {
    const [cells] = parse(text, { delimiter, record_delimiter: ['\r\n', '\n'] })
    return cells ?? null
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/** Splits uploaded bytes into lines that include their line end. Rejects bytes that are not UTF-8. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decode = createDecoder()
  let open = ''
  for await (const chunk of bytes) {
    const [first = '', ...others] = decode(chunk).split('\n')
    open += first
    for (const next of others) {
      yield `${open}\n`
      open = next
    }
  }
  open += decode()
  if (open !== '') yield open
}

/** Decodes characters that are split between chunks, and drops a byte order mark. */
function createDecoder() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw invalidField(UPLOAD_FIELD, 'Not UTF-8')
    }
  }
}

/** Limits how much of an invalid header the response repeats. */
const HEADER_ECHO_LIMIT = { columns: 10, characters: 60 }

/** A row of a place, or what is wrong with it. */
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
