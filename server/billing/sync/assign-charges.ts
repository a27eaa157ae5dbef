import { listChargeEvents, markEventsHandled, setEventCustomer } from '#server/billing/records/payments.store.ts'
import { addUnexplained, removeUnexplained } from '#server/billing/records/unexplained.store.ts'
import { describeCharge, isTaken, logUnexplained } from '#server/billing/recovery/unexplained.ts'
import { isMissing, stripeId } from '#server/ports/payments.ts'
import type { PaymentPorts } from './sync-customer.ts'

/** Assigns events that name only a charge to its customer. A charge without one is unexplained, unless it was refunded. */
export async function assignCharges(ports: PaymentPorts) {
  const { db, clock, log } = ports
  for (const { id, charge: chargeId } of await listChargeEvents(db.read)) {
    const charge = await findCharge(ports, chargeId)
    const customer = stripeId(charge?.customer)
    const found = await db.write([], async (tx) => {
      if (customer !== null) return void (await setEventCustomer(tx, id, customer))
      await markEventsHandled(tx, [id], clock.now())
      if (charge && isTaken(charge)) return addUnexplained(tx, [{ ...describeCharge(charge, 'account'), customer: null }], clock.now())
      await removeUnexplained(tx, chargeId)
    })
    logUnexplained(log, found ?? [])
  }
}

/** Adds the charges since an instant that have no customer, and returns the new ones. */
export async function findGuestCharges({ db, clock, payments }: PaymentPorts, since: Date) {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const found: Parameters<typeof addUnexplained>[1][number][] = []
  for await (const charge of payments.stripe.charges.list({ created, limit: 100 }))
    if (charge.customer === null && isTaken(charge)) found.push({ ...describeCharge(charge, 'account'), customer: null })
  return db.write([], (tx) => addUnexplained(tx, found, clock.now()))
}

async function findCharge({ payments }: PaymentPorts, id: string) {
  try {
    return await payments.stripe.charges.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
