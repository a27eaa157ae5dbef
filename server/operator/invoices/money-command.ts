import { parseArgs } from 'node:util'
import { minorUnitDigits } from '#contracts/rules/price.ts'
import { findInvoiceByNumber } from '#server/billing/records/invoices.store.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { exportAccounting } from './accounting.ts'
import { type RefundPorts, refundInvoice } from './refund.ts'

export const MONEY_USAGE = `  refund INV-1001 [--amount=4.95]   pays an invoice back to its card, in whole or in part; in whole it ends what the invoice paid for
  export accounting --from=2026-01-01 --to=2026-01-31   prints invoices, payments, credit notes and refunds as CSV`

type Ports = Omit<RefundPorts, 'actor'> & { print(line: string): void }

/** Returns false for arguments that it does not know. Throws a sentence when nothing can be paid back. */
export async function operateRefund(given: Ports, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: { amount: { type: 'string' } }, allowPositionals: true })
  const [number, ...more] = positionals
  if (!/^INV-\d+$/.test(number ?? '') || more.length > 0) return false
  const invoice = await findInvoiceByNumber(given.db.read, number!)
  if (!invoice) throw new Error(`There is no invoice ${number}.`)
  const amount = values.amount === undefined ? undefined : parseAmount(values.amount, invoice.currency)
  const { refunded, credit_notes } = await refundInvoice({ ...given, actor: PROGRAM }, invoice.id, amount).catch(explain)
  const digits = minorUnitDigits(invoice.currency)
  const total = `${(refunded / 10 ** digits).toFixed(digits)} ${invoice.currency.toUpperCase()}`
  given.print(`Paid back of ${number}: ${total} in all, the last by credit note ${credit_notes.at(-1)?.number}.`)
  return true
}

/** An amount such as `4.95` in minor units. */
function parseAmount(text: string, currency: string) {
  const digits = minorUnitDigits(currency)
  const amount = Math.round(Number(text) * 10 ** digits)
  if (!/^\d+(\.\d+)?$/.test(text) || amount <= 0) throw new Error(`${text} is not an amount such as 4.95.`)
  return amount
}

function explain(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  const sentences: Partial<Record<Failure['code'], string>> = {
    nothing_to_refund: 'Nothing of this invoice can be paid back: it is not paid, was paid back, or Stripe does not know its payment.',
    disputed: 'The card holder disputes this payment at the bank, which decides about the money.',
    validation_error: `The amount cannot be paid back: ${JSON.stringify(error.extras.errors)}`,
    refund_failed: `Stripe refused: ${error.extras.reason}`,
  }
  throw new Error(sentences[error.code] ?? error.message, { cause: error })
}

/** Writes the accounting of a span of days. Returns false for arguments that it does not know. */
export async function operateExport({ db, write }: Pick<Ports, 'db'> & { write(text: string): void }, args: string[]) {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { from, to } = values
  const isDay = (text: string | undefined) => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (positionals.length !== 1 || positionals[0] !== 'accounting' || !isDay(from) || !isDay(to)) return false
  for await (const text of exportAccounting(db.read, { from: from!, to: to! }).content as AsyncIterable<string>) write(text)
  return true
}
