import type Stripe from 'stripe'
import { writeDevices } from '#server/lib/device-changes.ts'
import { isMissing } from '#server/lib/payments.ts'
import type { Context } from '#server/lib/world.ts'
import { type Payer, rememberCustomer } from './store.ts'

/** The account's customer at the card provider; made when there is none, or when the provider has forgotten it. */
export async function customerOf({ db, payments: { stripe } }: Pick<Context, 'db' | 'payments'>, payer: Payer): Promise<string> {
  if (payer.customer && (await isKnown(stripe, payer.customer))) return payer.customer
  const { id } = await stripe.customers.create(
    {
      email: payer.email,
      name: `${payer.firstName} ${payer.lastName}`,
      metadata: { account: String(payer.accountId) },
      preferred_locales: [payer.language],
    },
    { idempotencyKey: `customer-${payer.accountId}-${payer.email}-after-${payer.customer}` },
  )
  await writeDevices(db, (tx) => rememberCustomer(tx, payer.accountId, id))
  return id
}

async function isKnown(stripe: Stripe, id: string) {
  try {
    const customer = await stripe.customers.retrieve(id)
    return !customer.deleted
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
