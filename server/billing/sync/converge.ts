import type { ChangedDevice } from '#db/device-changes.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { replaceCards } from '#server/billing/records/payment-methods.store.ts'
import { findAccountId } from '#server/billing/records/payments.store.ts'
import { grantSessions } from './grant.ts'
import { keepInvoices } from './keep-invoices.ts'
import { keepRenewals } from './keep-renewals.ts'
import type { Told } from './read-customer.ts'

export type Moment = { now: Date; touch: (device: ChangedDevice) => void }

/**
 * Makes our rows of a customer match Stripe. Everything is derived from Stripe's present state, so it does not matter which events arrived,
 * how often or in which order. Does nothing for a customer that is no account of ours.
 */
export async function converge(tx: Tx, customer: string, told: Told, moment: Moment) {
  const accountId = await findAccountId(tx, customer)
  if (accountId === undefined) return
  await grantSessions(tx, accountId, told, moment)
  await keepInvoices(tx, accountId, told.invoices, moment.now)
  await keepRenewals(tx, accountId, told, moment)
  await replaceCards(tx, customer, told.cards)
}
