import { PLACE_CSV_COLUMNS, type PlaceType, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { parsePlaceType } from './place.ts'

export type PlaceCsvColumn = (typeof PLACE_CSV_COLUMNS)[number]

/** Faults of a cell; `cells` and `quotes` concern the whole row. The portal words them. */
export type PlaceCsvFault = 'required' | 'too_long' | 'unknown_type' | 'not_found' | 'cells' | 'quotes'

/** Faults by column; those of the whole row under `row`. */
export type PlaceCsvFaults = Partial<Record<PlaceCsvColumn | 'row', PlaceCsvFault[]>>

export type PlaceCsvRow = { name: string; address: string; type: PlaceType }

/** Accepted separators; the header of a file decides which one applies. */
export const CSV_DELIMITERS = [',', ';'] as const

/** Parses the header: exactly these columns, in any order and case. Returns their order, or what is wrong. */
export function parsePlaceCsvHeader(
  cells: readonly string[],
): { order: PlaceCsvColumn[] } | { missing: PlaceCsvColumn[]; unexpected: string[] } {
  const names = cells.map((cell) => normalizeLine(cell).toLowerCase())
  const order = names.flatMap((name) => PLACE_CSV_COLUMNS.find((column) => column === name) ?? [])
  const missing = PLACE_CSV_COLUMNS.filter((column) => !order.includes(column))
  const unexpected = names.filter((name, at) => names.indexOf(name) < at || !order.some((column) => column === name))
  return missing.length + unexpected.length === 0 ? { order } : { missing, unexpected }
}

/** Parses a row in the column order of its header. Returns the place, or the faults. */
export function parsePlaceCsvRow(
  cells: readonly string[],
  order: readonly PlaceCsvColumn[],
): { row: PlaceCsvRow } | { faults: PlaceCsvFaults } {
  if (cells.length !== order.length) return { faults: { row: ['cells'] } }
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
