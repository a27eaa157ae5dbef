import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { INCLUDED_MONTHS } from '#contracts/rules/subscription.ts'
import { DEVICE_TYPES, PHONE_HEAD } from '#contracts/rules/tracking/tracker.ts'

const REQUIRED = ['identifier', 'serial', 'type'] as const
const COLUMNS = [...REQUIRED, 'board', 'months', 'batch'] as const
type Column = (typeof COLUMNS)[number]

const MAX_MONTHS = 120
const MAX_TEXT = 60

/** The form of a list of manufactured trackers, for the help of the operator's command. */
export const STOCK_FORM = `A file of comma-separated values with these columns in its first line:
  identifier   8+2 digits, each once, and not beginning with ${PHONE_HEAD}: 12345678-90, 12345678 90 or 1234567890
  serial       the S/N that is printed on the tracker, each once: 12 letters and digits
  type         ${DEVICE_TYPES.join(', ')}
  board        the board, such as SCT2-02; may be left out, then it is the usual one of the type
  months       months of service that come with the tracker, 0 to ${MAX_MONTHS}; may be left out, then ${INCLUDED_MONTHS}
  batch        the batch, at most ${MAX_TEXT} characters; may be left out`

/** What a line says about a tracker; what it leaves out is undefined. */
export type StockEntry = {
  identifier: string
  serial: string
  type: (typeof DEVICE_TYPES)[number]
  boardName: string | undefined
  includedMonths: number | undefined
  batch: string | undefined
}
export type StockLine = { line: number; entry: StockEntry }
/** A line that cannot be used; lines count from 1. */
export type Refusal = { line: number; column: string; reason: string }

/** Reads a list of manufactured trackers. Throws a sentence if it is no such list at all; single lines are refused. */
export async function readStockFile(source: AsyncIterable<Uint8Array | string>) {
  const lines: StockLine[] = []
  const refused: Refusal[] = []
  const seen = { identifier: new Map<string, number>(), serial: new Map<string, number>() }
  let columns: Column[] | undefined
  for await (const { cells, line } of parseRecords(source)) {
    if (!columns) {
      columns = readHeader(cells)
      continue
    }
    const values = Object.fromEntries(columns.map((name, nth) => [name, cells[nth]?.trim() ?? '']))
    const refuse = (column: Column, reason: string) => void refused.push({ line, column, reason })
    const entry = readEntry(values, refuse)
    if (!entry) continue
    const earlier = REQUIRED.flatMap((column) => (column === 'type' ? [] : [{ column, first: seen[column].get(entry[column]) }]))
    const repeated = earlier.find(({ first }) => first !== undefined)
    if (repeated) refuse(repeated.column, `line ${repeated.first} has it too`)
    else {
      lines.push({ line, entry })
      seen.identifier.set(entry.identifier, line)
      seen.serial.set(entry.serial, line)
    }
  }
  if (lines.length + refused.length === 0) throw new Error('The list of trackers cannot be used: it has no tracker.')
  return { lines, refused }
}

type CsvRecord = { record: string[]; info: { lines: number } }

async function* parseRecords(source: AsyncIterable<Uint8Array | string>) {
  const parser = parse({ bom: true, info: true, skip_empty_lines: true, relax_column_count: true, delimiter: [',', ';', '\t'] })
  const input = Readable.from(source)
  input.on('error', (error) => parser.destroy(error))
  try {
    const records: AsyncIterable<CsvRecord> = input.pipe(parser)
    for await (const { record, info } of records) yield { cells: record, line: info.lines }
  } catch (cause) {
    throw new Error(`The list of trackers cannot be used: ${(cause as Error).message}`, { cause })
  }
}

function readHeader(cells: readonly string[]): Column[] {
  const names = cells.map((name) => name.trim().toLowerCase())
  const problems = [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `there is no column ${name}`),
    ...names.filter((name) => !COLUMNS.some((column) => column === name)).map((name) => `${name || 'an empty name'} is no column`),
  ]
  if (problems.length > 0) throw new Error(`The list of trackers cannot be used: line 1: ${problems.join(', ')}.`)
  return names as Column[]
}

function readEntry(cells: Partial<Record<Column, string>>, refuse: (column: Column, reason: string) => void): StockEntry | undefined {
  const identifier = normalizeIdentifier(cells.identifier ?? '')
  const serial = normalizeSerial(cells.serial ?? '')
  const type = DEVICE_TYPES.find((each) => each === cells.type)
  const months = cells.months ? Number(cells.months) : undefined
  const problem = (column: Column, reason: string) => ({ column, reason: `${JSON.stringify(cells[column])} ${reason}` })
  const problems = [
    ...(identifier === null ? [problem('identifier', 'is not 8+2 digits')] : []),
    ...(identifier?.startsWith(PHONE_HEAD) ? [problem('identifier', `begins with ${PHONE_HEAD}, as those of phones do`)] : []),
    ...(serial === null ? [problem('serial', 'is not 12 letters and digits')] : []),
    ...(type ? [] : [problem('type', `is none of ${DEVICE_TYPES.join(', ')}`)]),
    ...(months === undefined || (Number.isInteger(months) && months >= 0 && months <= MAX_MONTHS)
      ? []
      : [problem('months', `is no number from 0 to ${MAX_MONTHS}`)]),
    ...(['board', 'batch'] as const).flatMap((column) =>
      (cells[column]?.length ?? 0) > MAX_TEXT ? [problem(column, `has more than ${MAX_TEXT} characters`)] : [],
    ),
  ]
  for (const { column, reason } of problems) refuse(column, reason)
  if (problems.length > 0 || identifier === null || serial === null || !type) return undefined
  return { identifier, serial, type, boardName: cells.board || undefined, includedMonths: months, batch: cells.batch || undefined }
}
