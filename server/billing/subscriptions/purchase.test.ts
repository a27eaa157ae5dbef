import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { checkouts, invoices, orders, paymentEvents, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { runTasks } from '#server/billing/sync/payment-worker.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, countRecords, item, readSubState, startCheckout, submitPayment } from './test-purchase.ts'

const { oldTracker, cityBike, rex, grandpa, puppy, kitchen } = SEED.devices

test('R-1.17 a payment activates the tracker until the new date and creates an order and an invoice', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  expect((await readSubState(portal, oldTracker))[0]).toBe('ended')
  const id = await startCheckout(portal, {
    items: [item(oldTracker)],
    options: [item(oldTracker, 'eur-care')],
    success_path: '/orders?paid=1',
  })
  expect((await readSubState(portal, oldTracker))[0]).toBe('ended')
  const { statusCode, headers } = await submitPayment(portal, id)
  expect([statusCode, headers.location]).toEqual([303, 'http://portal.test/orders?paid=1'])
  expect(await readSubState(portal, oldTracker)).toEqual(['active', new Date('2027-03-02T09:00:00Z')])

  const [bought] = await db.read.select().from(orders).where(eq(orders.reference, 'ORD-1013'))
  expect(bought).toMatchObject({ accountId: 1, total: 2685, currency: 'eur', tax: null })
  expect(bought!.lines).toEqual([
    { label: '1 year, paid once – Old tracker', quantity: 1, unit_amount: 1695 },
    { label: 'care – Old tracker', quantity: 1, unit_amount: 990 },
  ])
  const [invoice] = await db.read.select().from(invoices).where(eq(invoices.id, bought!.invoiceId!))
  expect(invoice).toMatchObject({ number: 'INV-1013', amount: 2685, balance: 0, status: 'paid', orderReference: 'ORD-1013' })
  const rows = await db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, oldTracker)).orderBy(asc(subscriptions.id))
  expect(rows.at(-1)).toMatchObject({ priceId: 'eur-12m-once', isRecurring: false, renewsAt: null, months: 12, options: ['eur-care'] })
})

test('an extension counts from the current end, and a recurring plan renews at the new end', async () => {
  await using portal = await startPortal()
  const [, before] = await readSubState(portal, cityBike)
  expect(before).toEqual(new Date('2026-05-31T09:00:00Z'))
  await submitPayment(portal, await startCheckout(portal, { items: [item(cityBike, 'eur-24m')] }))
  expect(await readSubState(portal, cityBike)).toEqual(['active', new Date('2028-06-30T09:00:00Z')])
  const rows = await portal.world.db.read
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.deviceId, cityBike))
    .orderBy(asc(subscriptions.id))
  expect(rows.at(-1)).toMatchObject({ isRecurring: true, extra: 1, renewsAt: new Date('2028-03-02T09:00:00Z') })
  const again = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(cityBike)] })
  expect(again.body.code).toBe('recurring_active')
})

test('one checkout can cover several trackers', async () => {
  await using portal = await startPortal()
  await submitPayment(
    portal,
    await startCheckout(portal, { items: [item(oldTracker), item(puppy, 'eur-3m')], options: [item(cityBike, 'eur-care')] }),
  )
  expect((await readSubState(portal, oldTracker))[0]).toBe('active')
  expect(await readSubState(portal, puppy)).toEqual(['active', new Date('2026-06-02T09:00:00Z')])
  const rows = await portal.world.db.read
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.deviceId, cityBike))
    .orderBy(asc(subscriptions.id))
  expect(rows.at(-1)).toMatchObject({ options: ['eur-care'], endsAt: new Date('2026-05-31T09:00:00Z') })
})

test('an option stays when the plan is extended, and can be bought without a plan', async () => {
  await using portal = await startPortal()
  const { read } = portal.world.db
  const newest = async (device: number) =>
    (await read.select().from(subscriptions).where(eq(subscriptions.deviceId, device)).orderBy(asc(subscriptions.id))).at(-1)
  await submitPayment(
    portal,
    await startCheckout(portal, { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care'), item(kitchen, 'eur-care')] }),
  )
  expect(await newest(kitchen)).toMatchObject({ options: ['eur-care'], months: 0, priceId: null })
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker)] }))
  expect(await newest(oldTracker)).toMatchObject({ options: ['eur-care'], endsAt: new Date('2028-03-02T09:00:00Z') })
})

test('a purchase does not set an end date on a subscription without one', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) =>
    tx.update(subscriptions).set({ isRecurring: false }).where(eq(subscriptions.deviceId, grandpa)),
  )
  await submitPayment(portal, await startCheckout(portal, { items: [item(grandpa)] }))
  expect(await readSubState(portal, grandpa)).toEqual(['active', null])
  expect(portal.world.stripe.findSession(await startCheckout(portal, { items: [item(grandpa)] }))?.status).toBe('open')
})

test('a declined card grants nothing, and another card then pays', async () => {
  await using portal = await startPortal()
  const before = await countRecords(portal)
  const id = await startCheckout(portal, { items: [item(oldTracker)] })
  expect((await submitPayment(portal, id, '4000 0000 0000 0002')).statusCode).toBe(402)
  expect([await countRecords(portal), await portal.world.db.read.$count(paymentEvents)]).toEqual([before, 0])
  expect((await readSubState(portal, oldTracker))[0]).toBe('ended')
  await submitPayment(portal, id)
  expect((await readSubState(portal, oldTracker))[0]).toBe('active')
})

test('returning to the success page without paying grants nothing', async () => {
  await using portal = await startPortal()
  const id = await startCheckout(portal, { items: [item(oldTracker)] })
  await portal.app.inject({ method: 'GET', url: '/subscription?checkout=success' })
  const [checkout] = await portal.world.db.read.select().from(checkouts).where(eq(checkouts.sessionId, id))
  expect([checkout!.grantedAt, (await readSubState(portal, oldTracker))[0]]).toEqual([null, 'ended'])
})

test('a tracker removed before the payment gets nothing, but the order remains', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const id = await startCheckout(portal, { items: [item(oldTracker)] })
  const [count] = await countRecords(portal)
  await db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, oldTracker)))
  expect((await submitPayment(portal, id)).statusCode).toBe(303)
  expect((await countRecords(portal))[0]).toBe(count! + 1)
  expect((await readSubState(portal, rex))[0]).toBe('active')
})

test('R-4.18 the items bought for a removed tracker are on the order but do not renew', async () => {
  await using portal = await startPortal()
  const { db, payments } = portal.world
  const id = await startCheckout(portal, { items: [item(oldTracker, 'eur-1m'), item(puppy, 'eur-1m')] })
  expect((await portal.call(ALICE, 'DELETE', `/devices/${puppy}/`)).status).toBe(200)
  await submitPayment(portal, id)
  const [bought] = (await db.read.select().from(orders).where(eq(orders.accountId, 1)).orderBy(asc(orders.reference))).slice(-1)
  expect(bought).toMatchObject({
    total: 398,
    lines: [
      { label: '1 month – Old tracker', unit_amount: 199 },
      { label: '1 month', unit_amount: 199 },
    ],
  })
  await runTasks(portal.world)
  const [renewed] = (await payments.stripe.subscriptions.list({ customer: 'cus_seed_alice' })).data
  expect(renewed!.items.data).toHaveLength(1)
})

test('R-9.18 an option that the tracker already has is not charged again', async () => {
  await using portal = await startPortal()
  const cart = { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care')] }
  await submitPayment(portal, await startCheckout(portal, cart))
  expect(portal.world.stripe.findSession(await startCheckout(portal, cart))).toMatchObject({ amount_total: 1695 })
})

test('a buyer whom Stripe has deleted becomes a new customer there', async () => {
  await using portal = await startPortal()
  const { db, payments } = portal.world
  const session = async () => portal.world.stripe.findSession(await startCheckout(portal, { items: [item(oldTracker)] }))
  const customers: unknown[] = []
  for (const _ of [1, 2]) {
    // Like an account that was erased and registered again: the same person without a Stripe customer.
    await db.write('everything', (tx) => tx.update(accounts).set({ stripeCustomer: null }).where(eq(accounts.id, 1)))
    const { customer } = (await session())!
    customers.push(customer)
    await payments.stripe.customers.del(String(customer))
  }
  expect(new Set(customers).size).toBe(2)
})

test('R-7.17 a double click of a first-time buyer creates one customer', async () => {
  await using portal = await startPortal()
  const { db, stripe } = portal.world
  await db.write('everything', (tx) => tx.update(accounts).set({ stripeCustomer: null }).where(eq(accounts.id, 1)))
  const ids = await Promise.all([1, 2].map(() => startCheckout(portal, { items: [item(oldTracker)] })))
  const [first, second] = ids.map((id) => stripe.findSession(id)?.customer)
  expect([first, first]).toEqual([second, expect.stringMatching(/^cus_/)])
})
