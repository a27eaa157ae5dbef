import { PLACE_CSV_COLUMNS, type PlaceType, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { normalizePlaceType } from './place-type.ts'

export type PlaceCsvColumn = (typeof PLACE_CSV_COLUMNS)[number]

/** What can be wrong with a cell; `cells` and `quotes` are wrong with the whole row. The portal words them. */
export type PlaceCsvFault = 'required' | 'too_long' | 'unknown_type' | 'not_found' | 'cells' | 'quotes'

/** Faults by column, those of the whole row under `row`. */
export type PlaceCsvFaults = Partial<Record<PlaceCsvColumn | 'row', PlaceCsvFault[]>>

export type PlaceCsvRow = { name: string; address: string; type: PlaceType }

/** The separators a csv of places may have; its header tells which (D-28). */
export const CSV_DELIMITERS = [',', ';'] as const

/** The columns in the order of a header, or what is wrong with it: exactly these names, in any order and case. */
export function placeCsvHeader(
  cells: readonly string[],
): { order: PlaceCsvColumn[] } | { missing: PlaceCsvColumn[]; unexpected: string[] } {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const order = names.flatMap((name) => PLACE_CSV_COLUMNS.find((column) => column === name) ?? [])
  const missing = PLACE_CSV_COLUMNS.filter((column) => !order.includes(column))
  const unexpected = names.filter((name, at) => names.indexOf(name) < at || !order.some((column) => column === name))
  return missing.length + unexpected.length === 0 ? { order } : { missing, unexpected }
}

/** A row read by the columns of its header, or what is wrong with it. */
export function placeCsvRow(cells: readonly string[], order: readonly PlaceCsvColumn[]): { row: PlaceCsvRow } | { faults: PlaceCsvFaults } {
  if (cells.length !== order.length) return { faults: { row: ['cells'] } }
  const cell = (column: PlaceCsvColumn) => (cells[order.indexOf(column)] ?? '').trim()
  const [name, address, typeName] = [cell('name'), cell('address'), cell('type')]
  const type = normalizePlaceType(typeName)
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
