import { CsvError, parse } from 'csv-parse/sync'
import { CSV_DELIMITERS } from '#contracts/rules/geo/place-csv.ts'
import { splitLines } from './csv-lines.ts'

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
