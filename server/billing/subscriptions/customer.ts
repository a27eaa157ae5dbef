import type Stripe from 'stripe'
import { writeDevices } from '#db/device-changes.ts'
import { type Payer, payerOf, rememberCustomer } from '#server/billing/records/subscriptions.store.ts'
import { inTurn } from '#server/billing/records/turns.ts'
import { isMissing } from '#server/ports/payments.ts'
import type { Context } from '#server/ports/world.ts'

type Ports = Pick<Context, 'db' | 'payments' | 'viewer'>

/** Returns the account's payer with its Stripe customer; creates the customer when there is none or Stripe has deleted it. */
export async function customerOf(ports: Ports): Promise<Payer & { customer: string }> {
  const { accountId } = await payerOf(ports.db.read, ports.viewer)
  // Exclusive, or a double click would create two customers.
  return inTurn(ports.db, `account ${accountId}`, async () => {
    const payer = await payerOf(ports.db.read, ports.viewer)
    return { ...payer, customer: (await knownCustomer(ports, payer)) ?? (await newCustomer(ports, payer)) }
  })
}

const knownCustomer = async ({ payments: { stripe } }: Ports, { customer }: Payer) =>
  customer && (await isKnown(stripe, customer)) ? customer : null

async function newCustomer({ db, payments: { stripe } }: Ports, payer: Payer) {
  const { id } = await stripe.customers.create({
    email: payer.email,
    name: `${payer.firstName} ${payer.lastName}`,
    metadata: { account: String(payer.accountId) },
    preferred_locales: [payer.language],
  })
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
