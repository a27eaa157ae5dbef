import { parseArgs } from 'node:util'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { CODE_STATES, MailedCode, NewCodes } from '#contracts/operator/codes.ts'
import { type DeedPorts, PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { cancelCodes, mailCode, makeCodes, pageBatches, pageCodes, readSheet } from './codes.ts'

type Ports = Omit<DeedPorts, 'actor'> & Pick<World, 'ids' | 'origin' | 'productName'> & { print(line: string): void }

export const CODES_USAGE = `  codes                      prints the batches of codes, one JSON object a line
  codes make NAME --count=100 --months=12|--plan=ID [--ends=2027-12-31]   makes codes that link a subscription, and prints them
  codes mail EMAIL --months=12|--plan=ID [--ends=2027-12-31] [--language=de]   makes one and mails it
  codes list [--batch=ID] [--state=${CODE_STATES.join('|')}] [--search=AB] [--mailed]   prints codes, one JSON object a line
  codes sheet BATCH [--language=de]   prints a page of HTML with QR codes, for a printer
  codes void CODE… | --batch=ID   makes unused codes worthless`

const TEXT = { type: 'string' } as const
const OPTIONS = {
  count: TEXT,
  months: TEXT,
  plan: TEXT,
  ends: TEXT,
  language: TEXT,
  batch: TEXT,
  state: TEXT,
  search: TEXT,
  mailed: { type: 'boolean' },
} as const

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateCodes(given: Ports, args: string[]): Promise<boolean> {
  const ports = { ...given, actor: PROGRAM }
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [deed, about, ...more] = positionals
  const worth = {
    ...(values.plan !== undefined && { plan: values.plan }),
    ...(values.months !== undefined && { months: Number(values.months) }),
    ...(values.ends !== undefined && { ends_at: readDay(values.ends) }),
    ...(values.language !== undefined && { language: values.language }),
  }
  if (deed === undefined) {
    await printPages(ports, async (before) => {
      const { batches, next } = await pageBatches(ports.db.read, { before })
      return { rows: batches, next }
    })
  } else if (deed === 'list' && about === undefined) {
    const state = CODE_STATES.find((each) => each === values.state)
    if (values.state !== undefined && !state) return false
    const filter = {
      state,
      search: values.search,
      mailed: values.mailed,
      ...(values.batch && { batch: Number(values.batch) }),
      now: ports.clock.now(),
    }
    await printPages(ports, async (after) => {
      const { codes, next } = await pageCodes(ports.db.read, { ...filter, after })
      return { rows: codes, next }
    })
  } else if (deed === 'make' && about !== undefined && more.length === 0) {
    const body = read(NewCodes, { name: about, count: Number(values.count ?? 1), ...worth })
    for (const code of (await inWords(makeCodes(ports, body))).codes) ports.print(code)
  } else if (deed === 'mail' && about !== undefined && more.length === 0) {
    const { code } = await inWords(mailCode(ports, read(MailedCode, { email: about, ...worth })))
    ports.print(`${about} gets the code ${code} by mail.`)
  } else if (deed === 'void') {
    const codesGiven = about === undefined ? undefined : [about, ...more]
    const { voided, kept } = await inWords(cancelCodes(ports, { codes: codesGiven, ...(values.batch && { batch: Number(values.batch) }) }))
    for (const code of kept) ports.print(`${code} is used or unknown.`)
    ports.print(`${voided} ${voided === 1 ? 'code is' : 'codes are'} void.`)
  } else if (deed === 'sheet' && about !== undefined) {
    const sheet = await readSheet(ports, Number(about), LANGUAGES.find((each) => each === values.language) ?? 'en')
    if (!sheet) throw new Error(`There is no batch with the id ${about}.`)
    ports.print(sheet.html)
  } else return false
  return true
}

/** The whole day is included. */
function readDay(text: string) {
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime())) throw new Error(`${text} is no day such as 2027-12-31.`)
  return new Date(day.getTime() + 86_400_000).toISOString().replace('.000Z', 'Z')
}

type Parser<T> = {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
}

function read<T>(schema: Parser<T>, data: unknown): T {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

/** The reasons of a refusal as a sentence. */
const inWords = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const { errors = {} } = error.extras
    const reasons = Object.entries(errors).map(([field, words]) => `${field}: ${String(words)}`)
    throw new Error(reasons.join('\n') || 'There are no such codes.')
  })

type Page = { rows: readonly object[]; next: string | null }

async function printPages({ print }: Ports, load: (from: string | undefined) => Promise<Page>) {
  let from: string | undefined
  do {
    const { rows, next } = await load(from)
    for (const row of rows) print(JSON.stringify(row))
    from = next ?? undefined
  } while (from !== undefined)
}
