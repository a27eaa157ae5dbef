import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { SEED } from '#db/seed/seed-ids.ts'
import { checkouts, invoices, orders, paymentEvents, subscriptions } from '#db/tables/commerce.ts'
import { devices } from '#db/tables/devices.ts'
import { tell } from '#server/mock/stripe/tell.ts'
import { startPortal } from '#server/mock/testing.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { oldTracker, cityBike, rex, grandpa, puppy, kitchen } = SEED.devices
const GOOD = '4242 4242 4242 4242'
const item = (device: number, price = 'eur-12m-once') => ({ device, price })

async function order(portal: Portal, body: object): Promise<string> {
  const { status, body: answer } = await portal.call(ALICE, 'POST', '/users/payment_session/', body)
  expect(status).toBe(200)
  return answer.id
}

const submit = (portal: Portal, id: string, number = GOOD) =>
  portal.app.inject({
    method: 'POST',
    url: `/mock/stripe/checkout/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ number }).toString(),
  })

const post = (portal: Portal, payload: string, signature?: string) =>
  portal.app.inject({
    method: 'POST',
    url: '/stripe/webhook/',
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
    payload,
  })

const stateOf = async (portal: Portal, device: number) => {
  const { body } = await portal.call(ALICE, 'GET', `/devices/${device}/`)
  const { sub_state: state, sub_end_date: end } = body.tracker_status
  return [state, end && new Date(end)]
}

const effects = ({ world: { db } }: Portal) => Promise.all([orders, invoices, subscriptions].map((table) => db.read.$count(table)))

test('R-1.17 pay, and the tracker is active until the new date, with an order and an invoice', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  expect((await stateOf(portal, oldTracker))[0]).toBe('ended')
  const id = await order(portal, { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care')], success_path: '/orders?paid=1' })
  expect((await stateOf(portal, oldTracker))[0]).toBe('ended')
  const { statusCode, headers } = await submit(portal, id)
  expect([statusCode, headers.location]).toEqual([303, 'http://portal.test/orders?paid=1'])
  expect(await stateOf(portal, oldTracker)).toEqual(['active', new Date('2027-03-02T09:00:00Z')])

  const [bought] = await db.read.select().from(orders).where(eq(orders.reference, 'ORD-1013'))
  expect(bought).toMatchObject({ accountId: 1, total: 2685, currency: 'eur', tax: null })
  expect(bought!.lines).toEqual([
    { label: '1 year, paid once – Old tracker', quantity: 1, unit_amount: 1695 },
    { label: 'care – Old tracker', quantity: 1, unit_amount: 990 },
  ])
  const [invoice] = await db.read.select().from(invoices).where(eq(invoices.id, bought!.invoiceId!))
  expect(invoice).toMatchObject({ number: 'INV-1013', amount: 2685, balance: 0, status: 'paid', orderReference: 'ORD-1013' })
  const rows = await db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, oldTracker))
  expect(rows.at(-1)).toMatchObject({ priceId: 'eur-12m-once', isRecurring: false, renewsAt: null, months: 12, options: ['eur-care'] })
})

test('D-20 an extension counts from the end, a recurring plan renews then', async () => {
  await using portal = await startPortal()
  const [, before] = await stateOf(portal, cityBike)
  expect(before).toEqual(new Date('2026-05-31T09:00:00Z'))
  await submit(portal, await order(portal, { items: [item(cityBike, 'eur-24m')] }))
  expect(await stateOf(portal, cityBike)).toEqual(['active', new Date('2028-06-30T09:00:00Z')])
  const rows = await portal.world.db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, cityBike))
  expect(rows.at(-1)).toMatchObject({ isRecurring: true, extra: 1, renewsAt: new Date('2028-06-30T09:00:00Z') })
  const again = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(cityBike)] })
  expect(again.body.code).toBe('recurring_active')
})

test('one checkout serves several trackers', async () => {
  await using portal = await startPortal()
  await submit(portal, await order(portal, { items: [item(oldTracker), item(puppy, 'eur-3m')], options: [item(cityBike, 'eur-care')] }))
  expect((await stateOf(portal, oldTracker))[0]).toBe('active')
  expect(await stateOf(portal, puppy)).toEqual(['active', new Date('2026-06-02T09:00:00Z')])
  const rows = await portal.world.db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, cityBike))
  expect(rows.at(-1)).toMatchObject({ options: ['eur-care'], endsAt: new Date('2026-05-31T09:00:00Z') })
})

test('an option stays when the plan is extended, and one without a plan is kept too', async () => {
  await using portal = await startPortal()
  const { read } = portal.world.db
  const newest = async (device: number) => (await read.select().from(subscriptions).where(eq(subscriptions.deviceId, device))).at(-1)
  await submit(
    portal,
    await order(portal, { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care'), item(kitchen, 'eur-care')] }),
  )
  expect(await newest(kitchen)).toMatchObject({ options: ['eur-care'], months: 0, priceId: null })
  await submit(portal, await order(portal, { items: [item(oldTracker)] }))
  expect(await newest(oldTracker)).toMatchObject({ options: ['eur-care'], endsAt: new Date('2028-03-02T09:00:00Z') })
})

test('D-16 a purchase does not put an end to a subscription without one', async () => {
  await using portal = await startPortal()
  await portal.world.db.write((tx) => tx.update(subscriptions).set({ isRecurring: false }).where(eq(subscriptions.deviceId, grandpa)))
  await submit(portal, await order(portal, { items: [item(grandpa)] }))
  expect(await stateOf(portal, grandpa)).toEqual(['active', null])
})

test('a declined card grants nothing, another card then pays', async () => {
  await using portal = await startPortal()
  const before = await effects(portal)
  const id = await order(portal, { items: [item(oldTracker)] })
  expect((await submit(portal, id, '4000 0000 0000 0002')).statusCode).toBe(402)
  expect([await effects(portal), await portal.world.db.read.$count(paymentEvents)]).toEqual([before, 0])
  expect((await stateOf(portal, oldTracker))[0]).toBe('ended')
  await submit(portal, id)
  expect((await stateOf(portal, oldTracker))[0]).toBe('active')
})

test('D-21 the way back alone grants nothing', async () => {
  await using portal = await startPortal()
  const id = await order(portal, { items: [item(oldTracker)] })
  await portal.app.inject({ method: 'GET', url: '/subscription?checkout=success' })
  const [checkout] = await portal.world.db.read.select().from(checkouts).where(eq(checkouts.sessionId, id))
  expect([checkout!.grantedAt, (await stateOf(portal, oldTracker))[0]]).toEqual([null, 'ended'])
})

test('E-84 an event that comes doubled, late or in parallel has its effect once', async () => {
  await using portal = await startPortal()
  const { stripe, clock } = portal.world
  const id = await order(portal, { items: [item(oldTracker)] })
  const before = await effects(portal)
  const payment = stripe.pay(id, GOOD)
  const { event } = payment as { event: Stripe.Event }
  const deliver = async (one: Stripe.Event) => {
    const { payload, signature } = stripe.sign(one)
    return (await post(portal, payload, signature)).json()
  }
  const answers = await Promise.all([deliver(event), deliver(event), deliver({ ...event, id: 'evt_other' })])
  expect(answers).toEqual([{ received: true }, { received: true }, { received: true }])
  clock.set({ at: new Date('2026-03-04T09:00:00Z') })
  await deliver(event)
  await deliver({ ...event, id: 'evt_late' })
  expect(await effects(portal)).toEqual(before.map((count) => count + 1))
  expect(await stateOf(portal, oldTracker)).toEqual(['active', new Date('2027-03-02T09:00:00Z')])
})

test('an event of a session that is not paid, or not ours, changes nothing', async () => {
  await using portal = await startPortal()
  const { stripe, payments } = portal.world
  const paid = await order(portal, { items: [item(oldTracker)] })
  const { event } = stripe.pay(paid, GOOD) as { event: Stripe.CheckoutSessionCompletedEvent }
  const open = await order(portal, { items: [item(cityBike)] })
  const foreign = await payments.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://portal.test/',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 100, product_data: { name: 'Other' } } }],
  })
  stripe.pay(foreign.id, GOOD)
  const before = await effects(portal)
  for (const [index, id] of [open, foreign.id].entries()) {
    const forged = { ...event, id: `evt_${index}`, data: { object: { ...event.data.object, id } } }
    const { payload, signature } = stripe.sign(forged)
    expect((await post(portal, payload, signature)).statusCode).toBe(200)
  }
  expect(await effects(portal)).toEqual(before)
})

test('events about other things are taken and kept', async () => {
  await using portal = await startPortal()
  const { stripe, db } = portal.world
  const event = { id: 'evt_customer', object: 'event', type: 'customer.created', data: { object: {} } } as Stripe.Event
  await tell(portal.app, portal.world, stripe.sign(event))
  const [kept] = await db.read.select().from(paymentEvents)
  expect(kept).toMatchObject({ id: 'evt_customer', type: 'customer.created' })
})

test('E-84 refuses an event without a signature, with a wrong or an old one, or with another body', async () => {
  await using portal = await startPortal()
  const { stripe, clock } = portal.world
  const event = { id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } } as Stripe.Event
  const { payload, signature } = stripe.sign(event)
  const answers = [
    await post(portal, payload),
    await post(portal, payload, 't=1,v1=00'),
    await post(portal, payload.replace('evt_1', 'evt_2'), signature),
    await post(portal, '', signature),
  ]
  clock.set({ at: new Date('2026-03-02T09:05:01Z') })
  answers.push(await post(portal, payload, signature))
  expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual(answers.map(() => [400, 'bad_signature']))
})

test('a tracker that is gone when the payment comes gets nothing, the order stays', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  const id = await order(portal, { items: [item(oldTracker)] })
  const [count] = await effects(portal)
  await db.write((tx) => tx.delete(devices).where(eq(devices.id, oldTracker)))
  expect((await submit(portal, id)).statusCode).toBe(303)
  expect((await effects(portal))[0]).toBe(count! + 1)
  expect((await stateOf(portal, rex))[0]).toBe('active')
})
