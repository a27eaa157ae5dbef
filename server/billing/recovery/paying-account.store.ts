import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { DbReader, LockFinder, Tx } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { paymentTasks } from '#db/schema/commerce.ts'
import { lockAccounts } from '#db/scope.ts'
import { findAccountId } from '#server/billing/records/payments.store.ts'
import { parsePayer } from '#server/billing/records/purchase-metadata.ts'

/**
 * Finds the account of a Stripe customer: the one that has it, or else the one that created it, found by the customer's metadata and
 * address. The database may be older than the customer.
 */
export async function findPayingAccount(db: DbReader, customer: string, object: Stripe.Customer | null) {
  const known = await findAccountId(db, customer)
  if (known !== undefined || !object || (await isForgotten(db, customer))) return known
  const named = parsePayer(object.metadata)
  if (!named) return undefined
  const { accountId, createdAt } = named
  const candidates = await db
    .select({ accountId: users.accountId, email: users.email, emailConfirmed: users.emailConfirmed, createdAt: users.createdAt })
    .from(users)
    .where(sql`${users.accountId} = ${accountId} or lower(${users.email}) = ${object.email?.toLowerCase() ?? ''}`)
  const hasEmail = (user: { email: string }) => user.email.toLowerCase() === object.email?.toLowerCase()
  const made = candidates.find(
    (user) => user.accountId === accountId && (user.createdAt.getTime() === createdAt?.getTime() || hasEmail(user)),
  )
  // An owner who registered again with the same, confirmed address.
  return (made ?? candidates.find((user) => hasEmail(user) && user.emailConfirmed))?.accountId
}

/** Whether the customer is about to be deleted with everything it has. */
export async function isForgotten(db: DbReader, customer: string) {
  return (await db.$count(paymentTasks, and(eq(paymentTasks.kind, 'forget'), eq(paymentTasks.ref, customer)))) > 0
}

/** Assigns the customer to an account, unless the account has another one by now. */
export const adoptCustomer = (tx: Tx, accountId: number, customer: string) =>
  tx
    .update(accounts)
    .set({ stripeCustomer: customer })
    .where(and(eq(accounts.id, accountId), isNull(accounts.stripeCustomer)))

/** Locks the account of a customer; nothing for a customer without an account. */
export const lockPayingAccount = (customer: string, object: Stripe.Customer | null): LockFinder =>
  lockAccounts(async (db) => {
    const accountId = await findPayingAccount(db, customer, object)
    return accountId === undefined ? [] : [{ accountId }]
  })
