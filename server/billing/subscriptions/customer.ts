import type Stripe from 'stripe'
import type { Fence } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { describePayer, parsePayer } from '#server/billing/records/purchase-metadata.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { getPayer, type Payer, saveCustomer } from '#server/billing/records/subscriptions.store.ts'
import { findPayingAccount } from '#server/billing/recovery/paying-account.store.ts'
import { isMissing } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

type Ports = Pick<ViewerContext, 'db' | 'payments' | 'viewer'>

/** Returns the account's payer with its Stripe customer; creates the customer when there is none or Stripe has deleted it. */
export async function ensureCustomer(ports: Ports): Promise<Payer & { customer: string }> {
  const { accountId } = await getPayer(ports.db.read, ports.viewer)
  // Runs exclusively, otherwise a double click would create two customers.
  return runExclusive(ports.db, `account ${accountId}`, async (fence) => {
    const payer = await getPayer(ports.db.read, ports.viewer)
    const known = (await findKnownCustomer(ports, payer)) ?? (await findLostCustomer(ports, payer))
    const customer = known ?? (await createCustomer(ports, payer))
    if (customer !== payer.customer) await storeCustomer(ports, payer, customer, fence)
    return { ...payer, customer }
  })
}

const findKnownCustomer = async ({ payments: { stripe } }: Ports, { customer }: Payer) =>
  customer && (await hasCustomer(stripe, customer)) ? customer : null

/** A customer created for the account before the database was restored. */
async function findLostCustomer({ db, payments: { stripe } }: Ports, { accountId, email }: Payer) {
  const { data } = await stripe.customers.list({ email, limit: 100 })
  for (const customer of data)
    if (parsePayer(customer.metadata) && (await findPayingAccount(db.read, customer.id, customer)) === accountId) return customer.id
  return null
}

async function createCustomer({ payments: { stripe } }: Ports, payer: Payer) {
  const { id } = await stripe.customers.create({
    email: payer.email,
    name: `${payer.firstName} ${payer.lastName}`,
    metadata: describePayer(payer),
    preferred_locales: [payer.language],
  })
  return id
}

const storeCustomer = ({ db }: Ports, { accountId }: Payer, customer: string, fence: Fence) =>
  writeDevices(db, [`account:${accountId}`], async (tx) => {
    await fence(tx)
    await saveCustomer(tx, accountId, customer)
  })

async function hasCustomer(stripe: Stripe, id: string) {
  try {
    const customer = await stripe.customers.retrieve(id)
    return !customer.deleted
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
