import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { type PlaceType, parsePlaceType } from './place.ts'

export const PLACE_CSV_COLUMNS = ['name', 'address', 'type'] as const

export type PlaceCsvColumn = (typeof PLACE_CSV_COLUMNS)[number]

/** Faults of a cell; `cells` and `quotes` concern the whole row. The portal words them. */
export type PlaceCsvFault = 'required' | 'too_long' | 'unknown_type' | 'not_found' | 'cells' | 'quotes'

/** Faults by column; those of the whole row under `row`. */
export type PlaceCsvFaults = Partial<Record<PlaceCsvColumn | 'row', PlaceCsvFault[]>>

export type PlaceCsvRow = { name: string; address: string; type: PlaceType }

/** Accepted separators; Excel's line `sep=;` selects one, else the header of the file does. */
const DELIMITERS = [',', ';', '\t'] as const

const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i

/** Returns the separator that the first line of a file names, or undefined if it is the header. */
export const readSeparatorLine = (line: string): string | undefined => SEPARATOR_LINE.exec(line)?.[1]

/** Returns the separator that splits the header into most cells, using `split`. */
export function findDelimiter(header: string, split: (header: string, delimiter: string) => readonly string[] | null): string {
  const counts = DELIMITERS.map((delimiter) => split(header, delimiter)?.length ?? 0)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** The column of each cell; null for one without a name, which spreadsheets write for cells that were once used. */
export type PlaceCsvOrder = readonly (PlaceCsvColumn | null)[]

/** Parses the header: exactly these columns, in any order and case, with blank ones anywhere. Returns their order, or what is wrong. */
export function parsePlaceCsvHeader(
  cells: readonly string[],
): { order: PlaceCsvOrder } | { missing: PlaceCsvColumn[]; unexpected: string[] } {
  const names = cells.map((cell) => normalizeLine(cell).toLowerCase())
  const order = names.map((name) => PLACE_CSV_COLUMNS.find((column) => column === name) ?? null)
  const missing = PLACE_CSV_COLUMNS.filter((column) => !order.includes(column))
  const unexpected = names.filter((name, at) => name !== '' && (names.indexOf(name) < at || order[at] === null))
  return missing.length + unexpected.length === 0 ? { order } : { missing, unexpected }
}

/** Parses a row in the column order of its header. Returns the place, or the faults. */
export function parsePlaceCsvRow(cells: readonly string[], order: PlaceCsvOrder): { row: PlaceCsvRow } | { faults: PlaceCsvFaults } {
  const named = order.findLastIndex((column) => column !== null) + 1
  const isOdd = cells.some((cell, at) => (order[at] ?? null) === null && normalizeLine(cell) !== '')
  if (cells.length < named || isOdd) return { faults: { row: ['cells'] } }
  const cell = (column: PlaceCsvColumn) => normalizeLine(cells[order.indexOf(column)] ?? '')
  const [name, address, typeName] = [cell('name'), cell('address'), cell('type')]
  const type = parsePlaceType(typeName)
  const faults = {
    ...textFault('name', name, TEXT_LENGTH.placeName),
    ...textFault('address', address, TEXT_LENGTH.address),
    ...(type === null && { type: [typeName === '' ? 'required' : 'unknown_type'] satisfies PlaceCsvFault[] }),
  }
  return type === null || Object.keys(faults).length > 0 ? { faults } : { row: { name, address, type } }
}

function textFault(column: PlaceCsvColumn, text: string, most: number): PlaceCsvFaults {
  if (text === '') return { [column]: ['required'] }
  return text.length > most ? { [column]: ['too_long'] } : {}
}
