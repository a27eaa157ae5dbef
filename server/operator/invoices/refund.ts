import type { OperatorInvoiceDetails } from '#contracts/operator/invoices.ts'
import { chargeStep, minorUnitDigits } from '#contracts/rules/price.ts'
import { countRefundable, findInvoiceById, type InvoiceRow } from '#server/billing/records/invoices.store.ts'
import { findCustomer } from '#server/billing/records/payment-methods.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { payBack, syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { type DeedPorts, doDeed, findDone } from '#server/deeds/do-deed.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { isRefusal } from '#server/ports/payments.ts'
import type { World } from '#server/ports/world.ts'
import { presentInvoiceDetails } from './invoices.present.ts'

export type RefundPorts = DeedPorts & Pick<World, 'payments' | 'log'>

/**
 * Pays an invoice back, in whole or in part, and stores what follows from it. Throws `nothing_to_refund`, `disputed`, and `refund_failed`
 * with Stripe's reason.
 */
export async function refundInvoice(ports: RefundPorts, id: number, amount?: number): Promise<OperatorInvoiceDetails> {
  const done = await findDone<OperatorInvoiceDetails>(ports)
  if (done) return done
  // Exclusive, so that a second refund sees the first.
  const { sum, accountId, number, currency } = await runExclusive(ports.db, `refund of invoice ${id}`, async () => {
    const invoice = await getRefundable(ports, id)
    const left = countRefundable(invoice)
    validateAmount(amount, left, invoice)
    const paid = { ...invoice, sum: amount ?? left }
    await payBackAndSync(ports, invoice, paid.sum)
    return paid
  })
  return doDeed(ports, [`account:${accountId}`], async (tx) => {
    const response = await presentInvoiceDetails(tx, (await findInvoiceById(tx, id))!)
    const digits = minorUnitDigits(currency)
    const detail = { amount: (sum / 10 ** digits).toFixed(digits), currency: currency.toUpperCase() }
    return { deed: { kind: 'invoice_refunded', subject: number, accountId, detail }, response }
  })
}

async function getRefundable({ db }: RefundPorts, id: number) {
  const invoice = await findInvoiceById(db.read, id)
  if (!invoice) throw new Failure('not_found')
  if (invoice.dispute === 'open' || invoice.dispute === 'lost') throw new Failure('disputed')
  if (countRefundable(invoice) === 0) throw new Failure('nothing_to_refund')
  return invoice
}

function validateAmount(amount: number | undefined, left: number, { currency }: InvoiceRow) {
  if (amount === undefined) return
  if (amount > left) throw invalidField('amount', `At most ${left} is left`)
  if (amount % chargeStep(currency) !== 0) throw invalidField('amount', `Must be a multiple of ${chargeStep(currency)}`)
}

async function payBackAndSync(ports: RefundPorts, invoice: InvoiceRow, amount: number) {
  const { db, payments, repeat } = ports
  const customer = await findCustomer(db.read, invoice.accountId)
  if (!customer) throw new Failure('nothing_to_refund')
  const intent = `${invoice.providerId} ${invoice.refunded} ${repeat?.key ?? ''}`
  try {
    const left = await payBack(payments.stripe, invoice, { customer, amount, intent })
    if (left === amount) throw new Failure('nothing_to_refund')
  } catch (error) {
    if (!isRefusal(error)) throw error
    await syncCustomer(ports, customer)
    throw new Failure('refund_failed', { reason: (error as Error).message }, { cause: error })
  }
  await syncCustomer(ports, customer)
}
