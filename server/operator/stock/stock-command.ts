import { createReadStream } from 'node:fs'
import path from 'node:path'
import { STOCK_STATES, type StockStep } from '#contracts/operator/stock.ts'
import { formatIdentifier, normalizeIdentifier } from '#contracts/rules/reading/text.ts'
import type { Db } from '#db/db.ts'
import { type DeedPorts, PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { parsePageEnd } from '#server/lib/pages/page-end.ts'
import { planImport, saveImport } from '#server/stock/import-stock.ts'
import { STOCK_FORM } from '#server/stock/stock-file.ts'
import { listStock, type StockFilter } from '#server/stock/stock-list.store.ts'
import { blockItems, readItem } from './stock.ts'

export const STOCK_USAGE = `Usage: node dist/server/operator.js stock COMMAND
  import FILE.csv            adds the trackers of a file; if a line is wrong, lists what is wrong and adds none
  import FILE.csv --skip-invalid   adds those of the good lines
  list                       prints the stock as comma-separated values; --state=in_stock|claimed|blocked, --batch=NAME and
                             --search=NUMBER (the beginning of an identifier or S/N) choose from it
  show IDENTIFIER            prints what happened to a tracker
  block IDENTIFIER…          lets nobody add these trackers; they stay on the accounts that have them; --reason="…" is kept in the log
  unblock IDENTIFIER…        lets accounts add them again

${STOCK_FORM}`

type Ports = Omit<DeedPorts, 'actor'> & { print(line: string): void }

/** The operator's command for the stock. Resolves to false when something was refused; throws a sentence for a wrong argument. */
export async function operateStock(ports: Ports, [command, ...args]: string[]): Promise<boolean> {
  const { db, print } = ports
  const [first] = args
  if (command === 'list') return printStock(db, args, print)
  if (command === 'import' && first) return importFile(ports, first, args.slice(1))
  if (command === 'show' && first && args.length === 1) return printHistory(db, first, print)
  if ((command === 'block' || command === 'unblock') && first) return block(ports, args, command === 'block')
  throw new Error(STOCK_USAGE)
}

async function importFile({ print, ...ports }: Ports, file: string, options: string[]) {
  if (options.some((option) => option !== '--skip-invalid')) throw new Error(STOCK_USAGE)
  const plan = await planImport(ports.db.read, createReadStream(file), ports.clock.now())
  const { refused, counts } = plan
  for (const { line, column, reason } of refused) print(`line ${line}: ${column}: ${reason}`)
  const outcome = `${counts.added} added, ${counts.changed} changed, ${counts.known} known, ${refused.length} refused`
  if (refused.length > 0 && options.length === 0) {
    print(`Nothing was imported, because ${refused.length} lines are wrong. With --skip-invalid: ${outcome}.`)
    return false
  }
  await saveImport({ ...ports, actor: PROGRAM }, plan, path.basename(file))
  print(`${outcome}; ${counts.completed} trackers on accounts got their S/N.`)
  return true
}

const PAGE = 1000

async function printStock(db: Db, args: string[], print: Ports['print']) {
  const filter = readFilter(args)
  print('identifier,serial,type,board,months,batch,state')
  for (let after: string | undefined, isMore = true; isMore; ) {
    const page = await listStock(db.read, { ...filter, after: parsePageEnd(after), limit: PAGE })
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

const WORDS: Record<string, (step: StockStep) => string> = {
  added: () => 'added to the stock',
  months_used: () => 'included months used',
  requested: ({ detail }) => `asked for by request ${detail}`,
  claimed: ({ account }) => `claimed by ${account === null ? 'an erased account' : `account ${account}`}`,
  removed: ({ account }) => `removed from ${account === null ? 'an erased account' : `account ${account}`}`,
  blocked: ({ who, detail }) => ['blocked', who && `by ${who}`, detail && `because: ${detail}`].filter(Boolean).join(' '),
  unblocked: ({ who }) => `unblocked by ${who}`,
}

async function printHistory(db: Db, number: string, print: Ports['print']) {
  const found = await readItem(db.read, readIdentifier(number))
  if (!found) throw new Error(`${number} is not in stock.`)
  const { identifier, serial, type, board, months, batch } = found.item
  print(`${identifier}, S/N ${serial}, ${type}, ${board}, ${months} months, batch ${batch ?? 'unknown'}`)
  for (const step of found.history) print(`${step.at ?? 'time unknown'}  ${WORDS[step.what]?.(step) ?? step.what}`)
  return true
}

async function block({ print, ...ports }: Ports, args: string[], isBlocked: boolean) {
  const reason = args.flatMap((arg) => /^--reason=(.+)$/.exec(arg)?.[1] ?? [])[0]
  const identifiers = args.filter((arg) => !arg.startsWith('--reason=')).map(readIdentifier)
  const deed = { isBlocked, ...(reason && isBlocked && { reason }) }
  const { changed, unknown } = await blockItems({ ...ports, actor: PROGRAM }, identifiers, deed).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return { changed: [], unknown: identifiers.map(formatIdentifier) }
    throw error
  })
  for (const identifier of unknown) print(`${identifier} is not in stock.`)
  print(`${changed.length} ${changed.length === 1 ? 'tracker is' : 'trackers are'} ${isBlocked ? 'blocked' : 'free to be added'}.`)
  return unknown.length === 0
}

function readIdentifier(number: string) {
  const identifier = normalizeIdentifier(number)
  if (identifier === null) throw new Error(`${number} is not an identifier of 8+2 digits.`)
  return identifier
}
