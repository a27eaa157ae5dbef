import { isTooLate, type WithdrawalOutcome } from '#contracts/billing/withdrawal.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader, LockFinder } from '#db/db.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { addWithdrawal, findContract, findPaidInvoice, findWithdrawal, refundWithdrawn } from './withdrawals.store.ts'

/** Null: customers cannot withdraw, or in every country. */
export type WithdrawalRules = { days: number | null; countries: readonly string[] | null }

export type Declaration = { reference: string; email: string; name: string | null; language: Language }

/** Each declaration sends a mail to an address that may be somebody else's. */
const LIMIT = { max: 5, windowMinutes: 60 }

/**
 * Records that a customer withdraws from a contract, and mails the receipt with its time to the address that was given. Pays the contract
 * back, or waits for the device to return. The response is the same whether or not the contract exists. Throws `throttled`.
 */
export async function declareWithdrawal(
  { db, clock, limits }: Pick<World, 'db' | 'clock' | 'limits'>,
  rules: WithdrawalRules,
  { reference, email, name, language }: Declaration,
) {
  const now = clock.now()
  if (limits.credentials) await db.write([`throttle:withdraw:${email}`], (tx) => countAttempt(tx, `withdraw:${email}`, LIMIT, now))
  const lock: LockFinder = async (read) => {
    const order = await findContract(read, reference, email)
    return [`withdrawal:${email}`, ...(order ? ([`order:${order.reference}`, `account:${order.accountId}`] as const) : [])]
  }
  await db.write(lock, async (tx) => {
    const order = await findContract(tx, reference, email)
    const outcome = order ? await judge(tx, order, rules, now) : 'unknown'
    const found = { orderReference: order?.reference ?? null, accountId: order?.accountId ?? null }
    await addWithdrawal(tx, { receivedAt: now, reference, email, name, ...found, outcome })
    if (order && outcome === 'refund') await refundWithdrawn(tx, order, now)
    const data = { reference, email, ...(name && { name }), outcome, datetime: formatInstant(now) }
    await queueMail(tx, { to: email, template: 'withdrawal', language, data, now })
  })
  return now
}

async function judge(db: DbReader, order: OrderRow, { days, countries }: WithdrawalRules, now: Date): Promise<WithdrawalOutcome> {
  const paid = await findPaidInvoice(db, order)
  if ((await findWithdrawal(db, order.reference)) || (paid && paid.invoice.refunded >= paid.invoice.amount)) return 'again'
  if (countries && paid?.country && !countries.includes(paid.country)) return 'closed'
  const isSent = order.status === 'shipping' || order.shippedAt !== null || order.deliveredAt !== null
  // The days of goods count from their delivery, those of a service from its purchase.
  const from = isSent ? order.deliveredAt : order.date
  if (days === null || (from && isTooLate(from, days, now))) return 'closed'
  return isSent && !order.returnedAt ? 'return' : 'refund'
}
