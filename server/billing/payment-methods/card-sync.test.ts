import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { syncCards } from '#server/billing/sync/provider-cards.ts'
import { deliverEvents } from '#server/mock/payments/deliver-events.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { addCard, FAILS_LATER, fetchCards, GOOD } from './test-cards.ts'

const ALICE = 'alice@example.com'
const BRUNO = 'bruno@example.com'
const { visa, mastercard, brunoExpired } = SEED.cards
const { cityBike } = SEED.devices

const shown = async (portal: Awaited<ReturnType<typeof startPortal>>, email: string) =>
  (await fetchCards(portal, email)).map(({ last4, is_default }) => [last4, is_default])

test('R-3.81 a card typed into the billing portal is listed as the default', async () => {
  await using portal = await startPortal()
  expect(await addCard(portal, BRUNO, GOOD, '07 / 29')).toBe(303)
  const { body } = await portal.call(BRUNO, 'GET', '/users/payment_methods/')
  expect(body[0]).toMatchObject({ brand: 'visa', last4: '4242', exp_month: 7, exp_year: 2029, is_default: true })
  expect(body[1]).toMatchObject({ id: brunoExpired, is_default: false })
  expect(await addCard(portal, BRUNO, FAILS_LATER)).toBe(303)
  expect(await shown(portal, BRUNO)).toHaveLength(3)
})

test('when Stripe knows no default card, the newest becomes the default there and here', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const customer = 'cus_seed_alice'
  await stripe.paymentMethods.detach(visa)
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await syncCards(portal.world, customer)
  expect((await fetchCards(portal, ALICE)).map((card) => [card.id, card.is_default])).toEqual([
    [id, true],
    [mastercard, false],
  ])
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ invoice_settings: { default_payment_method: id } })
})

test('R-1.17 the card of a renewing purchase is saved and listed, that of a one-time purchase is not', async () => {
  await using portal = await startPortal()
  await submitPayment(portal, await startCheckout(portal, { items: [item(cityBike)] }), GOOD)
  expect(await fetchCards(portal, ALICE)).toHaveLength(2)
  await submitPayment(portal, await startCheckout(portal, { items: [item(cityBike, 'eur-12m')] }), GOOD)
  const cards = await fetchCards(portal, ALICE)
  expect(cards).toHaveLength(3)
  expect(cards.filter(({ is_default }) => is_default)).toMatchObject([{ id: visa }])
  const { data } = await portal.world.payments.stripe.subscriptions.list({ customer: 'cus_seed_alice' })
  expect(cards.map(({ id }) => id)).toContain(data[0]!.default_payment_method)
})

test('R-2.73 R-4.26 a card added in the billing portal pays all renewals from then on, whichever card they were bought with', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  await submitPayment(portal, await startCheckout(portal, { items: [item(cityBike, 'eur-12m')] }), GOOD)
  const [bought] = (await stripe.subscriptions.list({ customer: 'cus_seed_alice' })).data
  expect(bought!.default_payment_method).not.toBeNull()
  await addCard(portal, ALICE, FAILS_LATER)
  const added = (await fetchCards(portal, ALICE)).find(({ is_default }) => is_default)!
  expect(added.last4).toBe('0341')
  expect((await stripe.subscriptions.retrieve(bought!.id)).default_payment_method).toBe(added.id)
})

test('late, duplicate or foreign card events change nothing, because cards are read from Stripe', async () => {
  await using portal = await startPortal()
  const { app, world } = portal
  const { stripe } = world
  await addCard(portal, BRUNO, GOOD)
  const attached = stripe.events.find(({ type }) => type === 'payment_method.attached')!
  const [added] = await fetchCards(portal, BRUNO)
  await portal.call(BRUNO, 'DELETE', `/users/payment_methods/${added!.id}/`)
  await deliverEvents(app, world, stripe, [attached, { ...attached, id: 'evt_again' }])
  expect(await shown(portal, BRUNO)).toEqual([['0341', true]])
  const foreign = { id: 'evt_foreign', object: 'event', type: 'customer.updated', data: { object: { id: 'cus_nobody' } } } as Stripe.Event
  await deliverEvents(app, world, stripe, [foreign])
  expect(await shown(portal, ALICE)).toHaveLength(2)
})

test('a card deleted at Stripe is no longer listed', async () => {
  await using portal = await startPortal()
  const { stripe, payments } = portal.world
  const card = await payments.stripe.paymentMethods.detach(mastercard)
  const data = { object: card, previous_attributes: { customer: 'cus_seed_alice' } }
  const event: Stripe.Event = JSON.parse(JSON.stringify({ id: 'evt_detached', object: 'event', type: 'payment_method.detached', data }))
  await deliverEvents(portal.app, portal.world, stripe, [event])
  expect(await shown(portal, ALICE)).toEqual([['4242', true]])
})

test('a customer that Stripe has deleted has no cards', async () => {
  await using portal = await startPortal()
  await portal.world.payments.stripe.customers.del('cus_seed_alice')
  await syncCards(portal.world, 'cus_seed_alice')
  expect(await fetchCards(portal, ALICE)).toEqual([])
})

test("many simultaneous card syncs end with Stripe's latest state", async () => {
  await using portal = await startPortal()
  const { payments } = portal.world
  const readings = [syncCards(portal.world, 'cus_seed_alice')]
  for (let n = 0; n < 5; n++) {
    await payments.stripe.paymentMethods.attach('pm_card_visa', { customer: 'cus_seed_alice' })
    readings.push(syncCards(portal.world, 'cus_seed_alice'))
  }
  await Promise.all(readings)
  expect(await fetchCards(portal, ALICE)).toHaveLength(7)
})
