import type { TFunction } from 'i18next'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { CSV_MAX_BYTES, CSV_MAX_ROWS } from '#contracts/places.ts'
import {
  findDelimiter,
  type PlaceCsvFaults,
  parsePlaceCsvHeader,
  parsePlaceCsvRow,
  readSeparatorLine,
} from '#contracts/rules/geo/place-csv.ts'
import { decodeText } from '#contracts/rules/reading/encoding.ts'
import type { Formats } from '#web/lib/i18n/format.ts'

export type Problem =
  | { is: 'header'; missing: readonly string[]; unexpected: readonly string[] }
  | { is: 'tooManyRows' | 'tooManyPlaces' | 'tooLarge' | 'notText' | 'empty' | 'noGoodRow' | 'general' | 'account_busy' | 'upload_limit' }

/** `raw` is the unparsed row of the file. */
export type PreviewRow = { line: number; texts: readonly string[]; faults: PlaceCsvFaults | null; raw: string }

type Preview = { text: string; header: string; rows: readonly PreviewRow[]; bad: number }

/** Validates a file by the server's rules before anything is sent; only addresses are not looked up. */
export async function previewFile(file: Blob): Promise<Preview | { problem: Problem }> {
  if (file.size > CSV_MAX_BYTES) return { problem: { is: 'tooLarge' } }
  const text = decodeText(new Uint8Array(await file.arrayBuffer()))
  return text === null ? { problem: { is: 'notText' } } : previewText(text)
}

export function previewText(text: string): Preview | { problem: Problem } {
  const [first, ...others] = parseCsv(text)
  const header = parsePlaceCsvHeader(first?.cells ?? [])
  if (!('order' in header)) return { problem: { is: 'header', ...header } }
  if (others.length === 0) return { problem: { is: 'empty' } }
  if (others.length > CSV_MAX_ROWS) return { problem: { is: 'tooManyRows' } }
  const rows = others.map(({ line, cells, raw }): PreviewRow => {
    const read = cells ? parsePlaceCsvRow(cells, header.order) : { faults: { row: ['quotes' as const] } }
    return 'row' in read
      ? { line, texts: [read.row.name, read.row.address], faults: null, raw }
      : { line, texts: cells ?? [raw], faults: read.faults, raw }
  })
  return { text, header: first?.raw ?? '', rows, bad: rows.filter(({ faults }) => faults).length }
}

/** The text of a file with blank lines in place of some rows, so that the others keep their line numbers. */
export function blankRows(text: string, rows: readonly PreviewRow[]) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const { line, raw } of rows) lines.fill('', line - 1, line - 1 + raw.split('\n').length)
  return lines.join('\n')
}

/** A row and the number of its first line, from 1; `cells` is null when quotes are unbalanced. */
type CsvRow = { line: number; cells: string[] | null; raw: string }

/**
 * Parses CSV like the server: RFC 4180 quotes, a comma, semicolon or tab depending on the header, blank lines skipped. A row with
 * unbalanced quotes ends at its line break.
 */
export function* parseCsv(text: string): Generator<CsvRow> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  let delimiter: string | undefined
  for (let first = 0; first < lines.length; ) {
    const last = findLastLine(lines, first)
    const row = lines.slice(first, last + 1).join('\n')
    const separator = delimiter === undefined ? readSeparatorLine(row) : undefined
    delimiter ??= separator
    if (row.trim() === '' || separator !== undefined) {
      first = last + 1
      continue
    }
    delimiter ??= findDelimiter(row, parseCells)
    const cells = parseCells(row, delimiter)
    yield { line: first + 1, cells, raw: cells ? row : (lines[first] ?? '') }
    first = cells ? last + 1 : first + 1
  }
}

/** Index of the row's last line: quoted cells may contain line breaks. */
function findLastLine(lines: readonly string[], first: number) {
  let isOpen = false
  for (let at = first; at < lines.length; at++) {
    if ((lines[at] ?? '').split('"').length % 2 === 0) isOpen = !isOpen
    if (!isOpen) return at
  }
  return lines.length - 1
}

function parseCells(row: string, delimiter: string): string[] | null {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}]*))(${delimiter}|$)`, 'y')
  const cells: string[] = []
  for (;;) {
    const [, quoted, plain, end] = cell.exec(row) ?? []
    if (end === undefined) return null
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '') return cells
  }
}

const FAULTS = ['required', 'too_long', 'unknown_type', 'not_found', 'bad_border', 'bad_meters', 'cells', 'quotes'] as const

export const formatFaults = (t: TFunction, faults: Record<string, readonly string[]>): string[] =>
  Object.entries(faults).flatMap(([column, codes]) =>
    codes.map((code) => {
      const known = FAULTS.find((fault) => fault === code)
      return known ? t(`places.import.faults.${known}`, { column }) : t('error.invalid')
    }),
  )

export const formatProblem = (t: TFunction, { number }: Formats, problem: Problem): string => {
  if (problem.is === 'general' || problem.is === 'account_busy' || problem.is === 'upload_limit') return t(`error.${problem.is}`)
  if (problem.is === 'tooManyPlaces') return t('limit.places', { n: ACCOUNT_LIMITS.places })
  const limits = { rows: number(CSV_MAX_ROWS), mb: number(CSV_MAX_BYTES / 1024 ** 2) }
  return t(`places.import.${problem.is}`, limits)
}
