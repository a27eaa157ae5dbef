import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { PLACE_RADIUS, type PlaceType, parsePlaceType } from './place.ts'
import { formatBorder, type PlaceBorder, parseBorder } from './place-border-text.ts'
import { SHAPE_LIMITS, type Shape } from './shape.ts'

export const PLACE_CSV_COLUMNS = ['name', 'address', 'type'] as const

/** Columns that a file may have as well: the border as well-known text, and the radius of a circle or the width of a way. */
const BORDER_COLUMNS = ['border', 'meters'] as const

export type PlaceCsvColumn = (typeof PLACE_CSV_COLUMNS)[number] | (typeof BORDER_COLUMNS)[number]
const ALL_COLUMNS: readonly PlaceCsvColumn[] = [...PLACE_CSV_COLUMNS, ...BORDER_COLUMNS]

/** Faults of a cell; `cells` and `quotes` concern the whole row. The portal words them. */
export type PlaceCsvFault = 'required' | 'too_long' | 'unknown_type' | 'not_found' | 'bad_border' | 'bad_meters' | 'cells' | 'quotes'

/** Faults by column; those of the whole row under `row`. */
export type PlaceCsvFaults = Partial<Record<PlaceCsvColumn | 'row', PlaceCsvFault[]>>

/** Without a border the place is a circle around its address. */
export type PlaceCsvRow = { name: string; address: string; type: PlaceType; radius: number; border: PlaceBorder | null }

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

/** Parses the header: these columns, with or without those of the border, in any order and case, with blank ones anywhere. Returns their order, or what is wrong. */
export function parsePlaceCsvHeader(
  cells: readonly string[],
): { order: PlaceCsvOrder } | { missing: PlaceCsvColumn[]; unexpected: string[] } {
  const names = cells.map((cell) => normalizeLine(cell).toLowerCase())
  const order = names.map((name) => ALL_COLUMNS.find((column) => column === name) ?? null)
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
  const [name, address, typeName] = [unescapeCell(cell('name')), unescapeCell(cell('address')), cell('type')]
  const [borderText, meters] = [cell('border'), parseMeters(cell('meters'))]
  const border = borderText === '' || meters === undefined ? null : parseBorder(borderText, meters)
  const isRadius = !/^linestring/i.test(borderText)
  const type = parsePlaceType(typeName)
  const faults = {
    ...textFault('name', name, TEXT_LENGTH.placeName),
    ...textFault('address', address, TEXT_LENGTH.address),
    ...(type === null && { type: [typeName === '' ? 'required' : 'unknown_type'] satisfies PlaceCsvFault[] }),
    ...(isBadMeters(meters, isRadius) && { meters: ['bad_meters'] satisfies PlaceCsvFault[] }),
    ...(borderText !== '' && meters !== undefined && !border && { border: ['bad_border'] satisfies PlaceCsvFault[] }),
  }
  if (type === null || Object.keys(faults).length > 0) return { faults }
  return { row: { name, address, type, radius: meters ?? PLACE_RADIUS.default, border } }
}

/** Null for an empty cell, undefined for one that is no whole number. */
const parseMeters = (text: string) => (text === '' ? null : /^\d{1,6}$/.test(text) ? Number(text) : undefined)

function isBadMeters(meters: number | null | undefined, isRadius: boolean) {
  const { min, max } = isRadius ? PLACE_RADIUS : SHAPE_LIMITS.width
  return meters === undefined || (meters !== null && (meters < min || meters > max))
}

/** Text that a spreadsheet could run as a formula, also behind the apostrophes that keep it from that. */
const FORMULA = /^'*[=+\-@\t]/
const unescapeCell = (text: string) => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text)

type ExportedPlace = { name: string; address: string; type: string; lat: number; lng: number; radius: number; shape?: Shape | undefined }

/** A csv of places that an import reads again, with the borders. */
export function formatPlaceCsv(places: readonly ExportedPlace[]): string {
  const rows = places.map((place) => {
    const { border, meters } = formatBorder(place)
    return [place.name, place.address, place.type, border, meters === null ? '' : String(meters)].map(formatCell).join(',')
  })
  return `\uFEFF${[ALL_COLUMNS.join(','), ...rows].join('\r\n')}\r\n`
}

function formatCell(text: string) {
  const cell = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function textFault(column: PlaceCsvColumn, text: string, most: number): PlaceCsvFaults {
  if (text === '') return { [column]: ['required'] }
  return text.length > most ? { [column]: ['too_long'] } : {}
}
