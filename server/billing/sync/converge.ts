import type { ChangedDevice } from '#db/device-changes.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { replaceCards } from '#server/billing/records/payment-methods.store.ts'
import { findAccountId } from '#server/billing/records/payments.store.ts'
import { grantCheckouts } from './grant.ts'
import { saveInvoices } from './keep-invoices.ts'
import { saveRenewals } from './keep-renewals.ts'
import type { CustomerState } from './read-customer.ts'

export type SyncMoment = { now: Date; touch: (device: ChangedDevice) => void }

/**
 * Makes our rows of a customer match Stripe. Everything is derived from Stripe's present state, so it does not matter which events arrived,
 * how often or in which order. Does nothing for a customer that is no account of ours.
 */
export async function applyCustomerState(tx: Tx, customer: string, told: CustomerState, moment: SyncMoment) {
  const accountId = await findAccountId(tx, customer)
  if (accountId === undefined) return
  await grantCheckouts(tx, accountId, told, moment)
  await saveInvoices(tx, accountId, told.invoices, moment.now)
  await saveRenewals(tx, accountId, told, moment)
  await replaceCards(tx, customer, told.cards)
}
