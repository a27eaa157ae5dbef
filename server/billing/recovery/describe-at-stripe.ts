import type Stripe from 'stripe'
import type { DbReader } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import { invoicesOf, listSold } from '#server/billing/records/invoices.store.ts'
import { listProviderSubscriptions } from '#server/billing/records/payments.store.ts'
import { describeInvoice, describePayer, describePurchase, parseItems, reassignItems } from '#server/billing/records/purchase-metadata.ts'
import type { CustomerState } from '#server/billing/records/stripe-state.ts'
import { isRunning } from '#server/ports/payments.ts'
import { findPayingAccount } from './paying-account.store.ts'

/**
 * Writes into the metadata of a customer, its subscriptions and its invoices what a database restored from an earlier backup needs: the
 * account, the purchased items, and our numbers. Existing metadata is written again only when a plan has moved to another tracker.
 */
export async function describeAtStripe(stripe: Stripe, db: DbReader, id: string, { customer, ...state }: CustomerState) {
  const accountId = await findPayingAccount(db, id, customer)
  if (accountId === undefined || !customer) return
  const payer = await findPayer(db, accountId)
  if (payer && !customer.metadata.account_since) await stripe.customers.update(id, { metadata: describePayer(payer) })
  const held = payer ? await listProviderSubscriptions(db, accountId) : []
  for (const subscription of state.subscriptions) {
    if (!payer || !isRunning(subscription.status)) continue
    const metadata =
      parseItems(subscription.metadata).length > 0
        ? reassignItems(
            subscription.metadata,
            held.filter((row) => row.subscription.providerId === subscription.id),
          )
        : await describeSold(db, payer, subscription.id)
    if (metadata) await stripe.subscriptions.update(subscription.id, { metadata })
  }
  const rows = new Map((await invoicesOf(db, accountId)).map((row) => [row.providerId, row]))
  for (const invoice of state.invoices) {
    const row = rows.get(invoice.id)
    const wanted = row && describeInvoice(row)
    if (wanted && Object.entries(wanted).some(([name, value]) => invoice.metadata?.[name] !== value))
      await stripe.invoices.update(invoice.id, { metadata: wanted })
  }
}

async function describeSold(db: DbReader, payer: NonNullable<Awaited<ReturnType<typeof findPayer>>>, subscription: string) {
  const sold = await listSold(db, payer.accountId, subscription)
  return sold.length > 0 ? describePurchase(payer, sold) : null
}

async function findPayer(db: DbReader, accountId: number) {
  const owner = await findAccountOwner(db, accountId)
  return owner && { accountId, createdAt: owner.createdAt }
}
