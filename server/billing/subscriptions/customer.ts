import type Stripe from 'stripe'
import type { Fence } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { getPayer, type Payer, saveCustomer } from '#server/billing/records/subscriptions.store.ts'
import { isMissing } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

type Ports = Pick<ViewerContext, 'db' | 'payments' | 'viewer'>

/** Returns the account's payer with its Stripe customer; creates the customer when there is none or Stripe has deleted it. */
export async function ensureCustomer(ports: Ports): Promise<Payer & { customer: string }> {
  const { accountId } = await getPayer(ports.db.read, ports.viewer)
  // Exclusive, or a double click would create two customers.
  return runExclusive(ports.db, `account ${accountId}`, async (fence) => {
    const payer = await getPayer(ports.db.read, ports.viewer)
    return { ...payer, customer: (await findKnownCustomer(ports, payer)) ?? (await createCustomer(ports, payer, fence)) }
  })
}

const findKnownCustomer = async ({ payments: { stripe } }: Ports, { customer }: Payer) =>
  customer && (await hasCustomer(stripe, customer)) ? customer : null

async function createCustomer({ db, payments: { stripe } }: Ports, payer: Payer, fence: Fence) {
  const { id } = await stripe.customers.create({
    email: payer.email,
    name: `${payer.firstName} ${payer.lastName}`,
    metadata: { account: String(payer.accountId) },
    preferred_locales: [payer.language],
  })
  await writeDevices(db, [`account:${payer.accountId}`], async (tx) => {
    await fence(tx)
    await saveCustomer(tx, payer.accountId, id)
  })
  return id
}

async function hasCustomer(stripe: Stripe, id: string) {
  try {
    const customer = await stripe.customers.retrieve(id)
    return !customer.deleted
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
