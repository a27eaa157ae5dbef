import { expect, test } from 'vitest'
import { invoices, paymentEvents, paymentMethods, subscriptions } from '#db/schema/commerce.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { startWalk } from '#server/billing/sync/walk-customers.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

test('the Stripe account of a world has the customers, cards and invoices of its database', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  expect(await stripe.customers.retrieve('cus_seed_alice')).toMatchObject({
    email: 'alice@example.com',
    name: 'Alice Almeida',
    preferred_locales: ['en'],
    invoice_settings: { default_payment_method: SEED.cards.visa },
  })
  const cards = (await stripe.customers.listPaymentMethods('cus_seed_alice')).data
  expect(cards.map(({ id, card }) => [id, card?.brand, card?.last4]).sort()).toEqual([
    [SEED.cards.mastercard, 'mastercard', '4444'],
    [SEED.cards.visa, 'visa', '4242'],
  ])
  const failed = await stripe.invoices.retrieve('in_seed_12')
  expect(failed).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 1495, customer: 'cus_seed_bruno' })
  expect(failed.lines.data).toMatchObject([{ description: '1 year – Camionnette', amount: 1495 }])
  expect(await stripe.invoices.retrieve('in_seed_1')).toMatchObject({ status: 'paid', amount_remaining: 0, amount_paid: 1495 })
})

test('the Stripe account of a world has the recurring subscriptions of its database', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const { data } = await stripe.subscriptions.list({ customer: 'cus_seed_alice' })
  const rex = data.find(({ id }) => id === `sub_seed_${SEED.devices.rex}`)!
  expect(rex.items.data).toMatchObject([{ price: { unit_amount: 199, recurring: { interval: 'month', interval_count: 1 } } }])
  expect(new Date(rex.items.data[0]!.current_period_end * 1000).toISOString()).toBe('2026-09-18T09:00:00.000Z')
})

test('an invoice without an order belongs to the subscription it renewed, or to a canceled one when the tracker is gone', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const parentOf = async (id: string) => {
    const { parent, billing_reason } = await stripe.invoices.retrieve(id, { expand: ['parent.subscription_details.subscription'] })
    return [billing_reason, parent?.subscription_details?.subscription]
  }
  const rex = { id: `sub_seed_${SEED.devices.rex}`, status: 'active', latest_invoice: 'in_seed_3' }
  expect(await parentOf('in_seed_3')).toEqual(['subscription_cycle', expect.objectContaining(rex)])
  expect(await parentOf('in_seed_12')).toEqual([
    'subscription_cycle',
    expect.objectContaining({ customer: 'cus_seed_bruno', status: 'canceled', latest_invoice: 'in_seed_12' }),
  ])
  expect(await parentOf('in_seed_1')).toEqual(['manual', undefined])
  const before = (await portal.call('alice@example.com', 'GET', `/devices/${SEED.devices.rex}/`)).body
  await syncCustomer(portal.world, 'cus_seed_alice')
  expect((await portal.call('alice@example.com', 'GET', `/devices/${SEED.devices.rex}/`)).body).toEqual(before)
})

test('a new world has already synced its customers: the first advance syncs none, and a sync of all changes nothing', async () => {
  await using portal = await startPortal()
  const { db, clock } = portal.world
  const readAll = () =>
    Promise.all([subscriptions, invoices, paymentMethods].map((table) => db.read.select().from(table).orderBy(table.id)))
  const seeded = await readAll()
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT5M' })
  expect(await db.read.select().from(paymentEvents)).toEqual([])
  await db.write([], (tx) => startWalk(tx, clock.now()))
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT5M' })
  expect((await db.read.select().from(paymentEvents)).map(({ customer }) => customer).sort()).toEqual(
    ['alice', 'bruno', 'haruka', 'usha'].map((name) => `cus_seed_${name}`),
  )
  expect(await readAll()).toEqual(seeded)
})

test('each world has its own Stripe account', async () => {
  await using portal = await startPortal()
  const other = await portal.worlds.create({ id: 'other', seed: 1 })
  await other.payments.stripe.paymentMethods.detach(SEED.cards.visa)
  expect((await portal.world.payments.stripe.paymentMethods.retrieve(SEED.cards.visa)).customer).toBe('cus_seed_alice')
})
