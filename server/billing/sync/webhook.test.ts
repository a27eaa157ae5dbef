import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { paymentEvents } from '#db/schema/commerce.ts'
import { countRecords, GOOD, item, readSubState, startCheckout } from '#server/billing/subscriptions/test-purchase.ts'
import { deliverEvents } from '#server/mock/payments/deliver-events.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { processInbox } from './webhook.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const { oldTracker, cityBike } = SEED.devices

const post = (portal: Portal, payload: string, signature?: string) =>
  portal.app.inject({
    method: 'POST',
    url: '/stripe/webhook/',
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
    payload,
  })

test('events that arrive twice, late or in parallel take effect once', async () => {
  await using portal = await startPortal()
  const { stripe, clock } = portal.world
  const id = await startCheckout(portal, { items: [item(oldTracker)] })
  const before = await countRecords(portal)
  const payment = stripe.pay(id, GOOD)
  const { event } = payment as { event: Stripe.Event }
  const deliver = async (one: Stripe.Event) => {
    const { payload, signature } = stripe.sign(one)
    const answer = (await post(portal, payload, signature)).json()
    await processInbox(portal.world)
    return answer
  }
  const answers = await Promise.all([deliver(event), deliver(event), deliver({ ...event, id: 'evt_other' })])
  expect(answers).toEqual([{ received: true }, { received: true }, { received: true }])
  clock.set({ at: new Date('2026-03-04T09:00:00Z') })
  await deliver(event)
  await deliver({ ...event, id: 'evt_late' })
  expect(await countRecords(portal)).toEqual(before.map((count) => count + 1))
  expect(await readSubState(portal, oldTracker)).toEqual(['active', new Date('2027-03-02T09:00:00Z')])
})

test('an event of an unpaid or foreign session changes nothing', async () => {
  await using portal = await startPortal()
  const { stripe, payments } = portal.world
  const paid = await startCheckout(portal, { items: [item(oldTracker)] })
  const { event } = stripe.pay(paid, GOOD) as { event: Stripe.CheckoutSessionCompletedEvent }
  await deliverEvents(portal.app, portal.world, stripe)
  const open = await startCheckout(portal, { items: [item(cityBike)] })
  const foreign = await payments.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://portal.test/',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 100, product_data: { name: 'Other' } } }],
  })
  stripe.pay(foreign.id, GOOD)
  const before = await countRecords(portal)
  for (const [index, id] of [open, foreign.id].entries()) {
    const forged = { ...event, id: `evt_${index}`, data: { object: { ...event.data.object, id } } }
    const { payload, signature } = stripe.sign(forged)
    expect((await post(portal, payload, signature)).statusCode).toBe(200)
    await processInbox(portal.world)
  }
  expect(await countRecords(portal)).toEqual(before)
})

test('events of other kinds are accepted and stored', async () => {
  await using portal = await startPortal()
  const { stripe, db } = portal.world
  const event = { id: 'evt_customer', object: 'event', type: 'customer.created', data: { object: {} } } as Stripe.Event
  const { payload, signature } = stripe.sign(event)
  expect((await post(portal, payload, signature)).statusCode).toBe(200)
  const [kept] = await db.read.select().from(paymentEvents)
  expect(kept).toMatchObject({ id: 'evt_customer', type: 'customer.created' })
})

test('a webhook without a signature, with a wrong or old one, or with a changed body is refused', async () => {
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
