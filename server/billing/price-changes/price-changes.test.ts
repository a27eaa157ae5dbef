import { eq, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import { invoices, subscriptions } from '#db/schema/commerce.ts'
import { emails } from '#db/schema/messages.ts'
import { priceNotices } from '#db/schema/staff.ts'
import { subscriptions as handlers } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { createPaymentPlayer } from '#server/mock/worlds/play.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { cancelPrice, readPriceChanges, readPrices, setPrice } from '#server/operator/prices/prices.ts'
import { BUYER, buyerContext, createPaymentTime, openCheckout, openPaymentWorld, payCheckout } from '#server/test/test-payments-world.ts'
import { priceNotice, priceRecall, priceStart } from './price-jobs.ts'

const GOOD = '4242 4242 4242 4242'
const OLD = 179
const NEW = 199

/** A world with a subscription of a month that runs from its beginning, and a function that moves its time by days. */
async function openShop() {
  const world = await openPaymentWorld()
  const start = world.clock.now().getTime()
  const time = createPaymentTime(world)
  payCheckout(world, await openCheckout(world), GOOD)
  const day = (days: number) => new Date(start + days * DAY_MS)
  let reached = 0
  const goTo = async (days: number) => {
    for (; reached < days; reached++) {
      await time(day(reached + 1))
      await runDue(world, day(reached + 1), { jobs: [priceStart, priceNotice, priceRecall] })
    }
  }
  await time(day(0))
  return { world, day, goTo }
}

const planIn = (world: MockWorld, from: Date, running: 'keep' | 'change', amount = NEW) =>
  setPrice({ ...world, actor: PROGRAM }, { price: BUYER.price, amount, from: formatInstant(from), running })

const paidAmounts = async ({ db }: MockWorld) =>
  (await db.read.select().from(invoices).where(eq(invoices.accountId, BUYER.accountId)).orderBy(invoices.date))
    .filter(({ providerId }) => !providerId?.startsWith('in_seed'))
    .map(({ amount }) => amount)

const findChange = async (world: MockWorld, id: number) => (await readPriceChanges(world, {})).changes.find((change) => change.id === id)

test('a running subscription is billed by the new price at its first renewal after the day, without a charge in between', async () => {
  const { world, day, goTo } = await openShop()
  const { id } = await planIn(world, day(35), 'change')
  await goTo(40)
  expect(await paidAmounts(world)).toEqual([OLD, OLD])
  await goTo(70)
  expect(await paidAmounts(world)).toEqual([OLD, OLD, NEW])
  expect(await findChange(world, id)).toMatchObject({ noticed: 1, changed: 1, failing: 0, state: 'begun' })
  const held = await world.db.read.select().from(subscriptions).where(isNotNull(subscriptions.providerId))
  expect(held.find(({ deviceId }) => deviceId === BUYER.device)?.renewalAmount).toBe(NEW)
})

test('the owner gets one mail with both prices, the day and a link to cancel, thirty days before', async () => {
  const { world, day, goTo } = await openShop()
  await planIn(world, day(35), 'change')
  const list = () => world.db.read.select().from(emails).where(eq(emails.template, 'price_change'))
  await goTo(4)
  expect(await list()).toEqual([])
  await goTo(36)
  const mails = await list()
  expect(mails.map(({ to, createdAt, data }) => [to, createdAt, data])).toContainEqual([
    ...[BUYER.email, day(5)],
    {
      ...{ price: '1 month', currency: 'gbp', datetime: formatInstant(day(35)) },
      items: JSON.stringify([{ tracker: 'Land Rover', at: formatInstant(day(35)), former: OLD, amount: NEW }]),
    },
  ])
  expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length)
})

test('the owner sees the new amount and its day, before the notice and after it, until the renewal is changed', async () => {
  const { world, day, goTo } = await openShop()
  await planIn(world, day(35), 'change')
  const next = async () => {
    const rows = (await handlers.list({}, buyerContext(world))) as HeldSubscription[]
    return rows.find(({ device }) => device === BUYER.device)?.next_amount
  }
  expect(await next()).toEqual({ amount: NEW, currency: 'gbp', from: formatInstant(day(35)) })
  await goTo(6)
  expect(await next()).toEqual({ amount: NEW, currency: 'gbp', from: formatInstant(day(35)) })
  await goTo(40)
  expect(await next()).toBeUndefined()
})

test('a running subscription that keeps its price is renewed for what it cost', async () => {
  const { world, day, goTo } = await openShop()
  await planIn(world, day(2), 'keep')
  await goTo(65)
  expect(await paidAmounts(world)).toEqual([OLD, OLD, OLD])
  expect((await readPrices(world)).prices.find(({ id }) => id === BUYER.price)).toMatchObject({ amount: NEW, coming: [] })
})

test('a checkout has the price that holds when it is opened, and keeps it until it is paid', async () => {
  const world = await openPaymentWorld()
  const now = world.clock.now().getTime()
  const time = createPaymentTime(world)
  const before = await openCheckout(world)
  await planIn(world, new Date(now + DAY_MS / 2), 'keep')
  world.clock.set({ at: new Date(now + DAY_MS / 2 - 1000) })
  const offered = async () => {
    const rows = (await handlers.prices({}, buyerContext(world))) as { id: string; unit_amount: number }[]
    return rows.find(({ id }) => id === BUYER.price)?.unit_amount
  }
  expect(await offered()).toBe(OLD)
  world.clock.set({ at: new Date(now + DAY_MS / 2) })
  expect(await offered()).toBe(NEW)
  const after = await openCheckout(world)
  expect(after).not.toBe(before)
  expect((await world.payments.stripe.checkout.sessions.retrieve(after)).amount_total).toBe(NEW)
  await runDue(world, world.clock.now(), { jobs: [priceStart, priceNotice, priceRecall] })
  payCheckout(world, before, GOOD)
  await time(new Date(now + DAY_MS))
  const [invoice] = await world.db.read.select().from(invoices).where(eq(invoices.accountId, BUYER.accountId)).orderBy(invoices.id)
  expect(invoice).toMatchObject({ amount: OLD, lines: [{ unit_amount: OLD }] })
})

test('a withdrawn price never holds, and renewals go on at the old one', async () => {
  const { world, day, goTo } = await openShop()
  const { id } = await planIn(world, day(40), 'change')
  await goTo(20)
  expect(await findChange(world, id)).toMatchObject({ noticed: 1, changed: 0 })
  await cancelPrice({ ...world, actor: PROGRAM }, id)
  await goTo(70)
  expect(await paidAmounts(world)).toEqual([OLD, OLD, OLD])
  expect(await findChange(world, id)).toMatchObject({ state: 'withdrawn', changed: 0 })
})

test('owners who got a price notice get one mail when the price is withdrawn, even if they have cancelled', async () => {
  const { world, day, goTo } = await openShop()
  const list = () => world.db.read.select().from(emails).where(eq(emails.template, 'price_stays'))
  const early = await planIn(world, day(60), 'change', NEW + 20)
  await cancelPrice({ ...world, actor: PROGRAM }, early.id)
  const { id } = await planIn(world, day(40), 'change')
  await goTo(12)
  expect(await list()).toEqual([])
  await world.db.write('everything', (tx) =>
    tx.update(subscriptions).set({ isRecurring: false }).where(eq(subscriptions.deviceId, BUYER.device)),
  )
  await cancelPrice({ ...world, actor: PROGRAM }, id)
  await goTo(14)
  const mails = await list()
  expect(mails.map(({ to, data }) => [to, data])).toContainEqual([
    BUYER.email,
    {
      ...{ price: '1 month', currency: 'gbp', amount: String(NEW), datetime: formatInstant(day(40)) },
      items: JSON.stringify([{ tracker: 'Land Rover', at: formatInstant(day(40)), amount: OLD }]),
    },
  ])
  expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length)
})

test('a price that keeps running renewals, or was withdrawn, is not shown as the next amount', async () => {
  const { world, day } = await openShop()
  await planIn(world, day(35), 'keep')
  const { id } = await planIn(world, day(45), 'change', NEW + 10)
  await cancelPrice({ ...world, actor: PROGRAM }, id)
  const rows = (await handlers.list({}, buyerContext(world))) as HeldSubscription[]
  expect(rows.find(({ device }) => device === BUYER.device)).not.toHaveProperty('next_amount')
})

/** Fails the first call that changes a subscription, before or after Stripe has done it. Returns the number of calls. */
function failOnce({ payments }: MockWorld, moment: 'before' | 'after') {
  const { subscriptions: api } = payments.stripe
  const update = api.update.bind(api)
  let calls = 0
  api.update = async (...args: Parameters<typeof update>) => {
    calls++
    const done = calls === 1 && moment === 'before' ? null : await update(...args)
    if (calls === 1) throw new Error('the connection broke')
    return done!
  }
  return () => calls
}

test.each([
  ['a change that Stripe did not get is counted as failing, tried again, and done once', 'before', 2],
  ['a change that was interrupted after Stripe had done it is not done again', 'after', 1],
] as const)('%s', async (_, moment, expected) => {
  const { world, day, goTo } = await openShop()
  const { id } = await planIn(world, day(31), 'change')
  await goTo(30)
  const countCalls = failOnce(world, moment)
  const player = createPaymentPlayer(world, world.stripe)
  await player.playTo(day(31))
  expect(countCalls()).toBe(1)
  expect(await findChange(world, id)).toMatchObject({ noticed: 1, changed: 0, failing: 1 })
  await player.playTo(new Date(day(31).getTime() + HOUR_MS))
  expect(countCalls()).toBe(expected)
  expect(await findChange(world, id)).toMatchObject({ noticed: 1, changed: 1, failing: 0 })
})

test('who buys between the mail and the day of a rise renews at the old price until the days of notice have passed', async () => {
  const world = await openPaymentWorld()
  const start = world.clock.now().getTime()
  const day = (days: number) => new Date(start + days * DAY_MS)
  await planIn(world, day(31), 'change')
  await runDue(world, day(1), { jobs: [priceNotice] })
  const time = createPaymentTime(world)
  await time(day(20))
  payCheckout(world, await openCheckout(world), GOOD)
  await time(day(21))
  await runDue(world, day(21), { jobs: [priceNotice] })
  const [notice] = await world.db.read.select().from(priceNotices).where(eq(priceNotices.accountId, BUYER.accountId))
  expect(notice).toMatchObject({ noticedAt: day(21), dueAt: day(51) })
})
