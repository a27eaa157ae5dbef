import { parse } from 'csv-parse/sync'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { DEVICE_TYPES, usualBoard } from '#contracts/rules/tracking/tracker.ts'
import type { Db } from '#db/db.ts'
import { findStockNumbers, findTrackerNumbers, insertStockItems, type NewStockItem, setSerial } from './stock.store.ts'

const REQUIRED = ['identifier', 'serial', 'type'] as const
const COLUMNS = [...REQUIRED, 'board']
/** Rows per database query. */
const BATCH = 500

/** The form of a list of manufactured trackers, for the help of the operator's command. */
export const STOCK_FORM = `A file of comma-separated values with these columns in its first line:
  identifier   8+2 digits, each once: 12345678-90, 12345678 90 or 1234567890
  serial       the S/N that is printed on the tracker, each once: 12 letters and digits
  type         ${DEVICE_TYPES.join(', ')}
  board        the board, such as SCT2; may be left out, then it is the usual one of the type`

/** Parses a list of manufactured trackers. Throws one message that lists each invalid line with its column and the reason. */
export function parseStockList(text: string): NewStockItem[] {
  const [header, ...records] = parseCsv(text)
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  const problems = [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `line 1: there is no column ${name}`),
    ...names
      .filter((name) => !COLUMNS.includes(name))
      .map((name) => `line 1: ${name || 'an empty name'} is no column of a list of trackers`),
  ]
  if (problems.length > 0) throw refuse(problems)
  const seen = { identifier: new Map<string, number>(), serial: new Map<string, number>() }
  const rows = records.flatMap(({ cells: values, line }) => {
    const cells = Object.fromEntries(names.map((name, column) => [name, values[column]?.trim() ?? '']))
    const row = readRow(cells, (column, reason) => void problems.push(`line ${line}: ${column}: ${reason}`))
    for (const column of ['identifier', 'serial'] as const) {
      const first = row && seen[column].get(row[column])
      if (first) problems.push(`line ${line}: ${column}: line ${first} has it too`)
      else if (row) seen[column].set(row[column], line)
    }
    return row ?? []
  })
  if (problems.length > 0) throw refuse(problems)
  if (rows.length === 0) throw refuse(['the file: it has no tracker'])
  return rows
}

function readRow(cells: Record<string, string>, complain: (column: string, reason: string) => void): NewStockItem | undefined {
  const identifier = normalizeIdentifier(cells.identifier ?? '')
  const serial = normalizeSerial(cells.serial ?? '')
  const type = DEVICE_TYPES.find((each) => each === cells.type)
  if (identifier === null) complain('identifier', `${JSON.stringify(cells.identifier)} is not 8+2 digits`)
  if (serial === null) complain('serial', `${JSON.stringify(cells.serial)} is not 12 letters and digits`)
  if (!type) complain('type', `${JSON.stringify(cells.type)} is none of ${DEVICE_TYPES.join(', ')}`)
  return identifier !== null && serial !== null && type
    ? { identifier, serial, type, boardName: cells.board || usualBoard(type) }
    : undefined
}

/**
 * Adds stock items, and sets the S/N of trackers that accounts have already added without one. Throws one message, and changes nothing, when
 * a number belongs to another tracker. Resolves to the numbers of added and known trackers, and of those on accounts that got
 * their S/N.
 */
export async function importStock(db: Db, rows: readonly NewStockItem[]) {
  const counts = { added: 0, known: 0, completed: 0 }
  await db.write('everything', async (tx) => {
    const problems: string[] = []
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH)
      const inStock = await findStockNumbers(tx, batch)
      const onAccounts = await findTrackerNumbers(tx, batch)
      const added = batch.filter((row) => {
        const isSame = (each: { identifier: string | null; serial: string | null }) =>
          each.identifier === row.identifier && each.serial === row.serial
        const others = [...inStock, ...onAccounts].filter(
          (each) => (each.identifier === row.identifier || each.serial === row.serial) && !isSame(each),
        )
        const incomplete = others.find(({ identifier, serial }) => identifier === row.identifier && serial === null)
        if (others.some((each) => each !== incomplete))
          problems.push(`${row.identifier}: the identifier or the S/N belongs to another tracker`)
        return !inStock.some(isSame)
      })
      if (problems.length > 0) continue
      const without = new Set(onAccounts.filter(({ serial }) => serial === null).map(({ identifier }) => identifier))
      const completed = batch.filter(({ identifier }) => without.has(identifier))
      for (const { identifier, serial } of completed) await setSerial(tx, identifier, serial)
      await insertStockItems(tx, added)
      counts.added += added.length
      counts.completed += completed.length
      counts.known += batch.length - added.length
    }
    if (problems.length > 0) throw refuse(problems)
  })
  return counts
}

const MAX_PROBLEMS = 20

function refuse(problems: readonly string[]) {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problem}`)
  if (problems.length > MAX_PROBLEMS) shown.push(`  and ${problems.length - MAX_PROBLEMS} more`)
  return new Error(`The list of trackers cannot be used:\n${shown.join('\n')}`)
}

type Line = { cells: string[]; line: number }

function parseCsv(text: string): Line[] {
  try {
    const lines: Line[] = []
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      delimiter: [',', ';', '\t'],
      on_record: (cells: string[], { lines: line }) => void lines.push({ cells, line }),
    })
    return lines
  } catch (cause) {
    throw refuse([`the file: ${(cause as Error).message}`])
  }
}
