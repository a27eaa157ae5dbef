import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { parseItems } from '#server/billing/records/purchase-metadata.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { BUYER, createPaymentTime, openCheckout, openPaymentWorld, payCheckout } from '#server/test/test-payments-world.ts'
import { movePlan } from './move-plan.ts'

const day = (text: string) => new Date(`${text}T09:00:00Z`)

async function addSpare({ db }: MockWorld) {
  const [known] = await db.read.select().from(devices).where(eq(devices.id, BUYER.device))
  const { id: _, ...copied } = known!
  const spare = { ...copied, identifier: '8888888801', serial: null, name: 'Spare', subState: 'none' as const, subEndDate: null }
  const [added] = await db.write('everything', (tx) => tx.insert(devices).values(spare).returning())
  return added!.id
}

async function stateOf({ db }: MockWorld, id: number) {
  const [device] = await db.read.select().from(devices).where(eq(devices.id, id))
  const [held] = await db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, id)).orderBy(desc(subscriptions.id))
  return { state: device!.subState, end: device!.subEndDate, renews: held?.isRecurring ?? false, endsAt: held?.endsAt }
}

test('a paid renewal counts once although its plan has moved, and the next one extends the tracker that has the plan now', async () => {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const time = createPaymentTime(world)
  await time(day('2026-04-10'))
  const before = await stateOf(world, BUYER.device)
  const spare = await addSpare(world)
  await movePlan({ ...world, actor: PROGRAM }, BUYER.accountId, { from: BUYER.device, to: spare })
  const [account] = await world.db.read.select().from(accounts).where(eq(accounts.id, BUYER.accountId))
  await syncCustomer(world, account!.stripeCustomer!)
  expect(await stateOf(world, spare)).toEqual(before)
  expect(await stateOf(world, BUYER.device)).toMatchObject({ state: 'ended', renews: false })

  await time(day('2026-05-20'))
  const { end } = before
  expect((await stateOf(world, spare)).end).toEqual(new Date(Date.UTC(end!.getUTCFullYear(), end!.getUTCMonth() + 1, end!.getUTCDate(), 9)))
  expect(await stateOf(world, BUYER.device)).toMatchObject({ state: 'ended', renews: false })
})

test('after a plan has moved, the metadata of its subscription at Stripe names the tracker that has it now', async () => {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const time = createPaymentTime(world)
  await time(day('2026-04-10'))
  const spare = await addSpare(world)
  const [account] = await world.db.read.select().from(accounts).where(eq(accounts.id, BUYER.accountId))
  const read = async () => (await world.payments.stripe.subscriptions.list({ customer: account!.stripeCustomer! })).data[0]!.metadata
  const before = await read()
  expect(parseItems(before)).toMatchObject([{ device: BUYER.device, price: BUYER.price }])
  await movePlan({ ...world, actor: PROGRAM }, BUYER.accountId, { from: BUYER.device, to: spare })
  await time(day('2026-04-11'))
  const after = await read()
  expect(parseItems(after)).toEqual([{ ...parseItems(before)[0]!, device: spare, hardware: expect.any(String) }])
  expect(after).toEqual({ ...before, devices: String(spare), items: after.items })
})

test('paying a purchase back after its plan has moved ends the service of the tracker that has the plan now', async () => {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const time = createPaymentTime(world)
  await time(day('2026-03-03'))
  const spare = await addSpare(world)
  const { end } = await stateOf(world, BUYER.device)
  await movePlan({ ...world, actor: PROGRAM }, BUYER.accountId, { from: BUYER.device, to: spare })
  const [account] = await world.db.read.select().from(accounts).where(eq(accounts.id, BUYER.accountId))
  const [charge] = (await world.payments.stripe.charges.list({ customer: account!.stripeCustomer!, limit: 1 })).data
  await world.payments.stripe.refunds.create({ charge: charge!.id })
  await time(day('2026-03-04'))
  const after = await stateOf(world, spare)
  expect(after.renews).toBe(false)
  expect(after.end! < end!).toBe(true)
})
