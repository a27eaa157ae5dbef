import { CSV_DELIMITERS } from '#contracts/rules/place-csv.ts'

/** A row and the number of its first line, from 1; `cells` is null when quotes are unbalanced. */
export type CsvRow = { line: number; cells: string[] | null }

/**
 * Parses CSV as the server does: RFC 4180 quotes, a comma or semicolon as the header has it, blank lines skipped. A row with unbalanced
 * quotes ends at its line break.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  let delimiter: string | undefined
  for (let first = 0; first < lines.length; ) {
    const last = lastOf(lines, first)
    const row = lines.slice(first, last + 1).join('\n')
    if (row.trim() === '') {
      first = last + 1
      continue
    }
    delimiter ??= delimiterOf(row)
    const cells = cellsOf(row, delimiter)
    yield { line: first + 1, cells }
    first = cells ? last + 1 : first + 1
  }
}

/** Index of the row's last line: quoted cells may contain line breaks. */
function lastOf(lines: readonly string[], first: number) {
  let isOpen = false
  for (let at = first; at < lines.length; at++) {
    if ((lines[at] ?? '').split('"').length % 2 === 0) isOpen = !isOpen
    if (!isOpen) return at
  }
  return lines.length - 1
}

/** The delimiter that splits the header into more cells. */
function delimiterOf(header: string): string {
  const [comma, semicolon] = CSV_DELIMITERS
  const count = (delimiter: string) => cellsOf(header, delimiter)?.length ?? 0
  return count(semicolon) > count(comma) ? semicolon : comma
}

function cellsOf(row: string, delimiter: string): string[] | null {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}]*))(${delimiter}|$)`, 'y')
  const cells: string[] = []
  for (;;) {
    const [, quoted, plain, end] = cell.exec(row) ?? []
    if (end === undefined) return null
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '') return cells
  }
}
