import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { NewPriceChange, type PriceChange } from '#contracts/operator/prices.ts'
import { minorUnitDigits } from '#contracts/rules/price.ts'
import { parsePrices } from '#server/billing/records/price-list.ts'
import { holdAmounts, listPrices } from '#server/billing/records/prices.store.ts'
import { syncCatalogue } from '#server/billing/sync/sync-catalogue.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Payments } from '#server/ports/payments.ts'
import { previewChange } from './plan-change.ts'
import { cancelPrice, type PricePorts, readPriceChanges, readPrices, replacePrices, setPrice } from './prices.ts'

export const PRICES_USAGE = `  prices                     prints the price list as JSON
  prices FILE                replaces what is on sale by a file of that form, and updates the products at Stripe
  prices --help              shows the form of the file
  prices list                prints all prices with what holds now and what is coming, one JSON object a line
  prices history             prints the coming, past and withdrawn amounts, the latest day first, one JSON object a line
  prices set PRICE AMOUNT [--from=2026-01-31] [--running=keep|change]   sets an amount such as 16.95 from the beginning of a day (UTC) on;
      --running=change       running renewals change too, and their owners get a mail; otherwise they keep what they cost
  prices preview PRICE AMOUNT [--from=…] [--running=…]   prints what this would meet, and changes nothing
  prices cancel ID           withdraws a coming amount before its day`

/** `stripe` is missing without a key. */
type Ports = Omit<PricePorts, 'actor'> & { stripe?: Payments['stripe'] | undefined; print(line: string): void }

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operatePrices(given: Ports, args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    options: { from: { type: 'string' }, running: { type: 'string' } },
    allowPositionals: true,
  })
  const ports = { ...given, actor: PROGRAM }
  const [deed, about, amount, ...more] = positionals
  if (more.length > 0) return false
  if (deed === 'set' || deed === 'preview') {
    if (about === undefined || amount === undefined) return false
    const body = await readChange(ports, about, amount, values)
    const times = { now: ports.clock.now(), noticeDays: ports.priceNoticeDays }
    if (deed === 'preview') given.print(JSON.stringify(await previewChange(ports.db.read, body, times).catch(explain)))
    else given.print(describe(await setPrice(ports, body).catch(explain)))
    return true
  }
  if (Object.keys(values).length > 0 || amount !== undefined) return false
  if (deed === 'cancel') {
    if (!/^\d{1,15}$/.test(about ?? '')) return false
    const change = await cancelPrice(ports, Number(about)).catch(explain)
    given.print(`The amount of ${change.price} from ${change.from} on is withdrawn.`)
    return true
  }
  if (about !== undefined) return false
  if (deed === 'list') for (const price of (await readPrices(ports)).prices) given.print(JSON.stringify(price))
  else if (deed === 'history') await printHistory(ports)
  else if (deed !== undefined) await replaceByFile(ports, deed)
  else {
    const rows = await holdAmounts(ports.db.read, await listPrices(ports.db.read), ports.clock.now())
    given.print(
      JSON.stringify(
        rows.filter(({ isOffered }) => isOffered).map(({ isOffered: _, ...row }) => row),
        null,
        2,
      ),
    )
  }
  return true
}

async function printHistory(ports: Ports) {
  let before: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readPriceChanges>> = await readPriceChanges(ports, before === null ? {} : { before })
    for (const change of page.changes) ports.print(JSON.stringify(change))
    before = page.next
  } while (before !== null)
}

async function replaceByFile({ stripe, print, ...ports }: Ports & Pick<PricePorts, 'actor'>, file: string) {
  const rows = parsePrices(readFileSync(file, 'utf8'))
  await replacePrices(ports, rows, path.basename(file))
  print(`${rows.length} prices are on sale.`)
  if (stripe) for (const change of await syncCatalogue(stripe, await listPrices(ports.db.read))) print(change)
  else print('STRIPE_SECRET_KEY is not set, so the products at Stripe were not updated.')
}

async function readChange({ db }: Ports, price: string, text: string, { from, running }: { from?: string; running?: string }) {
  const known = (await listPrices(db.read)).find(({ id }) => id === price)
  if (!known) throw new Error(`There is no price ${price}.`)
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is not an amount such as 16.95.`)
  if (from !== undefined && (!/^\d{4}-\d\d-\d\d$/.test(from) || Number.isNaN(Date.parse(from))))
    throw new Error(`${from} is not a day such as 2026-01-31.`)
  const parsed = NewPriceChange.safeParse({
    price,
    amount: Number((Number(text) * 10 ** minorUnitDigits(known.currency)).toFixed(4)),
    ...(from !== undefined && { from: `${from}T00:00:00Z` }),
    ...(running !== undefined && { running }),
  })
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  return parsed.data
}

function describe({ id, price, amount, former_amount, currency, from, running, mails_from }: PriceChange) {
  const digits = minorUnitDigits(currency)
  const write = (value: number) => `${(value / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`
  const renewals =
    running === 'change'
      ? `Running renewals change too; their owners get a mail from ${mails_from} on.`
      : 'Running renewals keep what they cost.'
  return `${price} costs ${write(amount)} instead of ${write(former_amount)} from ${from} on (change ${id}). ${renewals}`
}

/** The failures of the calls as sentences. */
function explain(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  const { who, from, state, errors } = error.extras
  const sentences: Partial<Record<Failure['code'], string>> = {
    not_found: 'There is no such price or change.',
    price_planned: `${who} has set another amount for that day already, from ${from} on. Withdraw it first.`,
    wrong_step: state === 'withdrawn' ? 'It is withdrawn already.' : 'It holds already. Set another amount instead.',
    validation_error: Object.entries(errors ?? {})
      .map(([field, reasons]) => `${field}: ${String(reasons)}`)
      .join('\n'),
  }
  throw new Error(sentences[error.code] ?? error.message, { cause: error })
}
