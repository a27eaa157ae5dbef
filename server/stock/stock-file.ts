import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { STOCK_COLUMNS, STOCK_LIMITS, type StockRefusal } from '#contracts/operator/stock.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { INCLUDED_MONTHS } from '#contracts/rules/subscription.ts'
import { DEVICE_TYPES, PHONE_HEAD } from '#contracts/rules/tracking/tracker.ts'
import { Failure } from '#server/lib/errors.ts'

const REQUIRED = STOCK_COLUMNS.required
const COLUMNS = [...REQUIRED, ...STOCK_COLUMNS.optional] as const
type Column = (typeof COLUMNS)[number]

const MAX_MONTHS = 120
const MAX_TEXT = STOCK_LIMITS.batch

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
export type Refusal = { line: number; column: string; code: StockRefusal; value: string; reason: string }

/** The file is no list of trackers at all; the message is a sentence. */
export class UnusableFile extends Error {
  readonly reason: string
  constructor(reason: string, options?: ErrorOptions) {
    super(`The list of trackers cannot be used: ${reason}`, options)
    this.reason = reason
  }
}

/** Reads a list of manufactured trackers. Throws `UnusableFile` if it is no such list at all; single lines are refused. */
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
    const { entry, problems } = readEntry(values)
    refused.push(...problems.map((problem) => ({ line, ...problem })))
    if (!entry) continue
    const earlier = REQUIRED.flatMap((column) => (column === 'type' ? [] : [{ column, first: seen[column].get(entry[column]) }]))
    const repeated = earlier.find(({ first }) => first !== undefined)
    if (repeated) {
      const { column, first } = repeated
      refused.push({ line, column, code: 'repeated', value: values[column] ?? '', reason: `line ${first} has it too` })
    } else {
      lines.push({ line, entry })
      seen.identifier.set(entry.identifier, line)
      seen.serial.set(entry.serial, line)
    }
  }
  if (lines.length + refused.length === 0) throw new UnusableFile('it has no tracker.')
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
    if (cause instanceof Failure) throw cause
    throw new UnusableFile((cause as Error).message, { cause })
  }
}

function readHeader(cells: readonly string[]): Column[] {
  const names = cells.map((name) => name.trim().toLowerCase())
  const problems = [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `there is no column ${name}`),
    ...names.filter((name) => !COLUMNS.some((column) => column === name)).map((name) => `${name || 'an empty name'} is no column`),
  ]
  if (problems.length > 0) throw new UnusableFile(`line 1: ${problems.join(', ')}.`)
  return names as Column[]
}

function readEntry(cells: Partial<Record<Column, string>>): { entry?: StockEntry; problems: Omit<Refusal, 'line'>[] } {
  const identifier = normalizeIdentifier(cells.identifier ?? '')
  const serial = normalizeSerial(cells.serial ?? '')
  const type = DEVICE_TYPES.find((each) => each === cells.type)
  const months = cells.months ? Number(cells.months) : undefined
  const problem = (column: Column, code: StockRefusal, reason: string) => {
    const value = cells[column] ?? ''
    return { column, code, value: value.slice(0, MAX_TEXT), reason: `${JSON.stringify(value)} ${reason}` }
  }
  const problems = [
    ...(identifier === null ? [problem('identifier', 'identifier', 'is not 8+2 digits')] : []),
    ...(identifier?.startsWith(PHONE_HEAD) ? [problem('identifier', 'phone', `begins with ${PHONE_HEAD}, as those of phones do`)] : []),
    ...(serial === null ? [problem('serial', 'serial', 'is not 12 letters and digits')] : []),
    ...(type ? [] : [problem('type', 'type', `is none of ${DEVICE_TYPES.join(', ')}`)]),
    ...(months === undefined || (Number.isInteger(months) && months >= 0 && months <= MAX_MONTHS)
      ? []
      : [problem('months', 'months', `is no number from 0 to ${MAX_MONTHS}`)]),
    ...(['board', 'batch'] as const).flatMap((column) =>
      (cells[column]?.length ?? 0) > MAX_TEXT ? [problem(column, 'too_long', `has more than ${MAX_TEXT} characters`)] : [],
    ),
  ]
  if (problems.length > 0 || identifier === null || serial === null || !type) return { problems }
  const entry = { identifier, serial, type, boardName: cells.board || undefined, includedMonths: months, batch: cells.batch || undefined }
  return { entry, problems }
}
