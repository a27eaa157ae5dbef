import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Invoice } from '#contracts/billing/invoices.ts'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { invoices, subscriptions as renewals } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { invoices as billing } from '#server/billing/invoices/invoices.handlers.ts'
import { setNewestEnd } from '#server/billing/records/payments.store.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import {
  BUYER,
  buyerContext,
  chooseCard,
  createPaymentTime,
  openCheckout,
  openPaymentWorld,
  payCheckout,
} from '#server/test/test-payments-world.ts'

type Expiry = { month: number; year: number }

const VISA = '4242 4242 4242 4242'
const date = (text: string) => new Date(`${text}T09:00:00Z`)

async function endOf({ db }: MockWorld) {
  const [device] = await db.read.select().from(devices).where(eq(devices.id, BUYER.device))
  const held = await db.read.select().from(renewals).where(eq(renewals.deviceId, BUYER.device)).orderBy(desc(renewals.id))
  const billed = await db.read.select().from(invoices).where(eq(invoices.accountId, BUYER.accountId))
  const mails = (await db.read.select().from(emails).where(eq(emails.to, BUYER.email))).map(({ template }) => template)
  return {
    state: device!.subState,
    end: device!.subEndDate,
    status: held[0]!.status,
    renews: held[0]!.isRecurring,
    paid: billed.filter(({ status }) => status === 'paid').length,
    failed: billed.filter(({ status }) => status === 'failed').length,
    mails: mails.filter((template) => /payment|subscription/.test(template)).sort(),
  }
}

const PAID = { state: 'active', end: date('2027-04-02'), status: 'active', renews: true, paid: 13, failed: 0, mails: [] }
const failedAfter = (paid: number, end: string) => ({
  ...{ state: 'ended', end: date(end), status: 'unpaid', renews: false },
  ...{ paid, failed: 1, mails: ['payment_failed', 'subscription_ended'] },
})

test.each<[string, string, Expiry | undefined, object]>([
  ['a good card pays thirteen months', '4242 4242 4242 4242', undefined, PAID],
  ['a card confirmed at the first payment is not asked again', '4000 0025 0000 3155', undefined, PAID],
  ['a card that always needs confirmation fails without its owner', '4000 0027 6000 3184', undefined, failedAfter(1, '2026-04-03')],
  [
    'a card that expires in August pays to the end of that month',
    '4242 4242 4242 4242',
    { month: 8, year: 2026 },
    failedAfter(6, '2026-09-03'),
  ],
])('R-1.17 a year of renewals: %s', async (_, number, expiry, expected) => {
  const world = await openPaymentWorld()
  expect(payCheckout(world, await openCheckout(world), number, expiry).outcome).toBe('paid')
  await createPaymentTime(world)(date('2027-03-03'))
  expect(await endOf(world)).toEqual(expected)
})

test('R-1.17 a year of renewals: a card declined at the checkout buys nothing, so nothing renews', async () => {
  const world = await openPaymentWorld()
  const checkout = await openCheckout(world)
  for (const [number, fault] of [
    ['4000 0000 0000 0002', 'declined'],
    ['4000 0000 0000 9995', 'insufficient_funds'],
    ['4000 0000 0000 0069', 'expired_card'],
    ['4000 0000 0000 0127', 'incorrect_cvc'],
    ['4000 0000 0000 0341', 'declined'],
    ['4000 0084 0000 1629', 'declined'],
  ] as const)
    expect(payCheckout(world, checkout, number)).toMatchObject({ outcome: 'refused', fault })
  await createPaymentTime(world)(date('2027-03-03'))
  expect(await endOf(world)).toMatchObject({ state: 'ended', paid: 0, failed: 0, mails: [] })
})

/** A subscription whose card, chosen after the purchase, is declined when charged. */
async function failing() {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), VISA)
  const time = createPaymentTime(world)
  await time(date('2026-03-03'))
  await chooseCard(world, 'pm_card_chargeCustomerFail')
  return { world, time }
}

test('a failed renewal is retried after 3, 5 and 7 days, then unpaid; the tracker stays active for one day', async () => {
  const { world, time } = await failing()
  const customer = (await world.db.read.query.accounts.findFirst({ where: (account, { eq: is }) => is(account.id, BUYER.accountId) }))!
  const at = async (instant: string) => {
    await time(new Date(instant))
    const [invoice] = (await world.payments.stripe.invoices.list({ customer: customer.stripeCustomer! })).data
    const { status, state } = await endOf(world)
    return [invoice!.status, invoice!.attempt_count, status, state]
  }
  expect(await at('2026-04-02T09:30:00Z')).toEqual(['draft', 0, 'active', 'active'])
  expect(await at('2026-04-02T10:00:00Z')).toEqual(['open', 1, 'past_due', 'active'])
  expect(await at('2026-04-03T10:00:00Z')).toEqual(['open', 1, 'past_due', 'ended'])
  expect(await at('2026-04-05T10:00:00Z')).toEqual(['open', 2, 'past_due', 'ended'])
  expect(await at('2026-04-10T10:00:00Z')).toEqual(['open', 3, 'past_due', 'ended'])
  expect(await at('2026-04-17T10:00:00Z')).toEqual(['open', 4, 'unpaid', 'ended'])
  expect(await at('2027-03-03T09:00:00Z')).toEqual(['draft', 0, 'unpaid', 'ended'])
  expect(await endOf(world)).toEqual(failedAfter(1, '2026-04-03'))
})

test('R-4.26 paying a failed invoice continues the subscription from that day, and the next month is charged again', async () => {
  const { world, time } = await failing()
  await time(date('2026-04-06'))
  const [failed] = (await billing.list({} as never, buyerContext(world))) as Invoice[]
  expect(failed).toMatchObject({ status: 'failed', amount: 179, balance: 179 })
  await chooseCard(world, 'pm_card_visa')
  await billing.pay({ params: { id: failed!.id }, body: {} } as never, buyerContext(world))
  expect(await endOf(world)).toMatchObject({ state: 'active', end: date('2026-05-06'), status: 'active', paid: 2, failed: 0 })
  await time(date('2026-05-03'))
  const mails = ['payment_failed', 'subscription_ended']
  expect(await endOf(world)).toMatchObject({ state: 'active', end: date('2026-06-06'), paid: 3, mails })
})

test('R-4.26 a failed renewal can still be paid after the fake was restarted', async () => {
  const { world, time } = await failing()
  await time(date('2026-04-06'))
  const again = await openPaymentWorld(world.db)
  again.clock.set({ at: date('2026-04-06') })
  const [failed] = (await billing.list({} as never, buyerContext(again))) as Invoice[]
  await chooseCard(again, 'pm_card_visa')
  await billing.pay({ params: { id: failed!.id }, body: {} } as never, buyerContext(again))
  expect(await endOf(again)).toMatchObject({ state: 'active', end: date('2026-05-06'), status: 'active', paid: 2, failed: 0 })
})

test("months added to a prepaid year keep ending on the year's last day of the month", async () => {
  const world = await openPaymentWorld()
  const prepaidUntil = date('2027-01-31')
  await world.db.write('everything', async (tx) => {
    await tx.update(devices).set({ subState: 'active', subEndDate: prepaidUntil }).where(eq(devices.id, BUYER.device))
    await setNewestEnd(tx, BUYER.device, prepaidUntil)
  })
  payCheckout(world, await openCheckout(world), VISA)
  const time = createPaymentTime(world)
  const ends: (string | undefined)[] = []
  for (const month of ['03', '04', '05', '06', '07']) {
    await time(date(`2026-${month}-10`))
    ends.push((await endOf(world)).end?.toISOString().slice(0, 10))
  }
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'])
})

test('a cancelled subscription runs to its end uncharged; resumed before that, it continues', async () => {
  const world = await openPaymentWorld()
  const time = createPaymentTime(world)
  payCheckout(world, await openCheckout(world), VISA)
  await time(date('2026-03-03'))
  const [held] = (await subscriptions.list({} as never, buyerContext(world))) as HeldSubscription[]
  const change = (cancel_at_period_end: boolean) =>
    subscriptions.change({ params: { id: held!.id }, body: { cancel_at_period_end } } as never, buyerContext(world))
  expect(await change(true)).toMatchObject({ type: 'one_time', renewal_date: null, sub_end_date: '2026-04-02T09:00:00Z' })
  expect(await change(false)).toMatchObject({ type: 'recurring', renewal_date: '2026-04-02T09:00:00Z' })
  await time(date('2026-04-10'))
  expect(await endOf(world)).toMatchObject({ end: date('2026-05-02'), renews: true, paid: 2 })
  await change(true)
  await time(date('2026-06-02'))
  expect(await endOf(world)).toEqual({
    ...{ state: 'ended', end: date('2026-05-02'), status: 'canceled', renews: false },
    ...{ paid: 2, failed: 0, mails: ['subscription_ended'] },
  })
})
