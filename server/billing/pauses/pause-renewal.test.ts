import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { accounts } from '#db/schema/accounts.ts'
import { invoices, paymentTasks } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { pausePlan, resumePlan } from '#server/operator/plans/pause-plan.ts'
import { BUYER, createPaymentTime, openCheckout, openPaymentWorld, payCheckout } from '#server/test/test-payments-world.ts'
import { pauseAtStripe } from './pause-at-stripe.ts'

let world: MockWorld
let time: ReturnType<typeof createPaymentTime>
const at = (text: string) => new Date(`${text}T09:00:00Z`)

beforeEach(async () => {
  world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  time = createPaymentTime(world)
  await time(at('2026-04-10'))
})

const ports = () => ({ ...world, actor: PROGRAM })
const pause = (until: Date) => pausePlan(ports(), BUYER.accountId, { tracker: BUYER.device, until: formatInstant(until) })
const resume = () => resumePlan(ports(), BUYER.accountId, BUYER.device)
async function read() {
  const [account] = await world.db.read.select().from(accounts).where(eq(accounts.id, BUYER.accountId))
  const subscription = (await world.payments.stripe.subscriptions.list({ customer: account!.stripeCustomer!, status: 'all' })).data[0]!
  const [device] = await world.db.read.select().from(devices).where(eq(devices.id, BUYER.device))
  const held = await findSubscription(world.db.read, BUYER.device)
  const paid = (await world.payments.stripe.invoices.list({ subscription: subscription.id })).data.filter(
    ({ amount_paid }) => amount_paid > 0,
  )
  return {
    subscription,
    chargedAt: new Date(subscription.items.data[0]!.current_period_end * 1000),
    end: device!.subEndDate!,
    renewsAt: held!.renewsAt,
    paid: paid.length,
    invoices: await world.db.read.$count(invoices, eq(invoices.accountId, BUYER.accountId)),
  }
}

test('a paused renewal is charged as much later as it was paused, once, and writes no invoice meanwhile', async () => {
  const before = await read()
  const until = at('2026-06-09')
  await pause(until)
  await time(at('2026-04-11'))
  const paused = await read()
  const shift = until.getTime() - at('2026-04-10').getTime()
  expect(paused.subscription.pause_collection).toEqual({ behavior: 'void', resumes_at: until.getTime() / 1000 })
  expect(paused).toMatchObject({ chargedAt: new Date(before.chargedAt.getTime() + shift), end: new Date(before.end.getTime() + shift) })
  expect(paused.renewsAt).toEqual(paused.chargedAt)
  await time(new Date(paused.chargedAt.getTime() - DAY_MS))
  expect(await read()).toMatchObject({ paid: before.paid, invoices: before.invoices, subscription: { pause_collection: null } })
  await time(new Date(paused.chargedAt.getTime() + DAY_MS))
  const renewed = await read()
  expect(renewed).toMatchObject({ paid: before.paid + 1, invoices: before.invoices + 1 })
  expect(renewed.end.getTime()).toBeGreaterThan(paused.end.getTime())
})

test('resuming early moves the charge back to the days that were really paused', async () => {
  const before = await read()
  await pause(at('2026-06-09'))
  await time(at('2026-04-20'))
  await resume()
  await time(at('2026-04-21'))
  const resumed = await read()
  expect(resumed.subscription.pause_collection).toBeNull()
  expect(resumed.chargedAt).toEqual(new Date(before.chargedAt.getTime() + 10 * DAY_MS))
  expect(resumed.end).toEqual(new Date(before.end.getTime() + 10 * DAY_MS))
})

test('the task can run again at any time: it moves the charge once', async () => {
  await pause(at('2026-06-09'))
  await time(at('2026-04-11'))
  const { chargedAt, subscription } = await read()
  for (const attempt of [0, 1]) await pauseAtStripe(world, subscription.id, attempt)
  expect((await read()).chargedAt).toEqual(chargedAt)
  await time(new Date(chargedAt.getTime() + DAY_MS))
  const after = await read()
  await pauseAtStripe(world, subscription.id, 2)
  expect((await read()).chargedAt).toEqual(after.chargedAt)
})

test('a period that began before Stripe was reached is voided, and charged after the paused time', async () => {
  const before = await read()
  const until = at('2026-06-09')
  await pause(until)
  await world.db.write('everything', (tx) => tx.delete(paymentTasks))
  await time(new Date(before.chargedAt.getTime() + 60_000))
  await pauseAtStripe(world, before.subscription.id, 0)
  const { chargedAt, paid } = await read()
  expect(paid).toBe(before.paid)
  expect(chargedAt).toEqual(new Date(before.chargedAt.getTime() + until.getTime() - at('2026-04-10').getTime()))
})
