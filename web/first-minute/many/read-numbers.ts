import { pickListed } from '#contracts/lib/unknown-values.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { parseCsv } from '#web/places/import/csv-preview.ts'
import type { ListedKind } from '#web/trackers/listed-kind.ts'

export type NumberLine = {
  line: number
  /** As typed. */
  number: string
  identifier?: string
  serial?: string
  name: string | null
  kind: ListedKind | null
  state: 'new' | 'yours' | 'twice' | 'invalid'
}

/** Reads a list of trackers, one a line: an identifier or an S/N or both, and in any column a name and a kind. A line of titles is skipped. */
export function readNumbers(text: string, owned: readonly Pick<Device, 'identifier' | 'serial'>[]): NumberLine[] {
  const known = new Set(owned.flatMap(({ identifier, serial }) => [identifier, serial]))
  const seen = new Set<string>()
  const lines = [...parseCsv(text)].map(({ line, cells, raw }) =>
    readLine(
      line,
      (cells ?? [raw]).map((cell) => cell.trim()),
    ),
  )
  const isTitle = lines[0]?.state === 'invalid' && !/\d/.test(lines[0].number) && lines.length > 1
  return lines.slice(isTitle ? 1 : 0).map((read) => {
    const numbers = [read.identifier, read.serial].filter((number) => number !== undefined)
    if (numbers.length === 0) return read
    if (numbers.some((number) => known.has(number))) return { ...read, state: 'yours' }
    if (numbers.some((number) => seen.has(number))) return { ...read, state: 'twice' }
    for (const number of numbers) seen.add(number)
    return read
  })
}

function readLine(line: number, cells: readonly string[]): NumberLine {
  const read: NumberLine = { line, number: cells[0] ?? '', name: null, kind: null, state: 'invalid' }
  for (const cell of cells) {
    const identifier = normalizeIdentifier(cell)
    const serial = normalizeSerial(cell)
    const kind = pickListed(KINDS, cell.toLowerCase(), null)
    if (identifier !== null && !read.identifier) read.identifier = identifier
    else if (serial !== null && /\d/.test(cell) && !read.serial) read.serial = serial
    else if (kind !== null && !read.kind) read.kind = kind
    else if (cell !== '' && !read.name) read.name = cell
  }
  if (!read.identifier && !read.serial) return { ...read, name: null }
  return { ...read, number: cells.find((cell) => normalizeIdentifier(cell) ?? normalizeSerial(cell)) ?? read.number, state: 'new' }
}
