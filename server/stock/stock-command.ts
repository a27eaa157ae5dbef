import { createReadStream } from 'node:fs'
import { normalizeIdentifier } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { importStock } from './import-stock.ts'
import { findStockItem, listStock, readItemHistory, STOCK_STATES, type StockFilter, setBlocked } from './stock.store.ts'
import { STOCK_FORM } from './stock-file.ts'

export const STOCK_USAGE = `Usage: node dist/server/operator.js stock COMMAND
  import FILE.csv            adds the trackers of a file; if a line is wrong, lists what is wrong and adds none
  import FILE.csv --skip-invalid   adds those of the good lines
  list                       prints the stock as comma-separated values; --state=in_stock|claimed|blocked, --batch=NAME and
                             --search=NUMBER (the beginning of an identifier or S/N) choose from it
  show IDENTIFIER            prints what happened to a tracker
  block IDENTIFIER…          lets nobody add these trackers; they stay on the accounts that have them
  unblock IDENTIFIER…        lets accounts add them again

${STOCK_FORM}`

type Ports = { now: Date; print(line: string): void }

/** The operator's command for the stock. Resolves to false when something was refused; throws a sentence for a wrong argument. */
export async function operateStock(db: Db, [command, ...args]: string[], { now, print }: Ports): Promise<boolean> {
  const [first] = args
  if (command === 'list') return printStock(db, args, print)
  if (command === 'import' && first) return importFile(db, first, args.slice(1), { now, print })
  if (command === 'show' && first && args.length === 1) return printHistory(db, first, print)
  if ((command === 'block' || command === 'unblock') && first) return blockItems(db, args, command === 'block' ? now : null, print)
  throw new Error(STOCK_USAGE)
}

async function importFile(db: Db, file: string, options: string[], { now, print }: Ports) {
  if (options.some((option) => option !== '--skip-invalid')) throw new Error(STOCK_USAGE)
  const skipsInvalid = options.length > 0
  const { isSaved, added, changed, known, completed, refused } = await importStock(db, createReadStream(file), { now, skipsInvalid })
  for (const { line, column, reason } of refused) print(`line ${line}: ${column}: ${reason}`)
  const outcome = `${added} added, ${changed} changed, ${known} known, ${refused.length} refused`
  if (isSaved) print(`${outcome}; ${completed} trackers on accounts got their S/N.`)
  else print(`Nothing was imported, because ${refused.length} lines are wrong. With --skip-invalid: ${outcome}.`)
  return isSaved
}

const PAGE = 1000

async function printStock(db: Db, args: string[], print: Ports['print']) {
  const filter = readFilter(args)
  print('identifier,serial,type,board,months,batch,state')
  for (let after: string | undefined, isMore = true; isMore; ) {
    const page = await listStock(db.read, { ...filter, after, limit: PAGE })
    for (const { identifier, serial, type, boardName, includedMonths, batch, state } of page)
      print([identifier, serial, type, boardName, includedMonths, batch ?? '', state].map(quote).join(','))
    after = page.at(-1)?.identifier
    isMore = page.length === PAGE
  }
  return true
}

function readFilter(args: string[]): Omit<StockFilter, 'limit'> {
  const given = Object.fromEntries(args.map((arg) => /^--(state|batch|search)=(.+)$/.exec(arg)?.slice(1) ?? [arg, '']))
  const { state: name, batch, search, ...unknown } = given
  const state = STOCK_STATES.find((each) => each === name)
  if (Object.keys(unknown).length > 0 || (name !== undefined && !state)) throw new Error(STOCK_USAGE)
  return { state, batch, search }
}

const quote = (value: string | number) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value))

async function printHistory(db: Db, number: string, print: Ports['print']) {
  const item = await findStockItem(db.read, { identifier: readIdentifier(number) })
  if (!item) throw new Error(`${number} is not in stock.`)
  print(
    `${item.identifier}, S/N ${item.serial}, ${item.type}, ${item.boardName}, ${item.includedMonths} months, batch ${item.batch ?? 'unknown'}`,
  )
  for (const { at, what } of await readItemHistory(db.read, item)) print(`${at ? formatInstant(at) : 'time unknown'}  ${what}`)
  return true
}

async function blockItems(db: Db, numbers: string[], blockedAt: Date | null, print: Ports['print']) {
  const identifiers = numbers.map(readIdentifier)
  const found = await db.write([], (tx) => setBlocked(tx, identifiers, blockedAt))
  for (const identifier of identifiers) if (!found.includes(identifier)) print(`${identifier} is not in stock.`)
  print(`${found.length} ${found.length === 1 ? 'tracker is' : 'trackers are'} ${blockedAt ? 'blocked' : 'free to be added'}.`)
  return found.length === identifiers.length
}

function readIdentifier(number: string) {
  const identifier = normalizeIdentifier(number)
  if (identifier === null) throw new Error(`${number} is not an identifier of 8+2 digits.`)
  return identifier
}
