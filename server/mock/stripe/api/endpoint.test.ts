import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'cus_seed_alice'

test('expanded ids are replaced by their objects, in lists too, and stay ids otherwise', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const { data } = await stripe.subscriptions.list({
    customer: ALICE,
    expand: ['data.customer', 'data.latest_invoice.customer', 'data.default_payment_method'],
  })
  const rex = data.find(({ id }) => id === 'sub_seed_1')!
  expect(rex).toMatchObject({
    customer: { id: ALICE, email: 'alice@example.com' },
    latest_invoice: { id: 'in_seed_3', customer: { id: ALICE } },
    default_payment_method: null,
  })
  const { items } = await stripe.subscriptions.retrieve('sub_seed_1', { expand: ['items.data.price.product'] })
  expect(items.data).toMatchObject([{ price: { product: { id: 'whereabouts_eur-1m', name: '1 month' } } }])
  expect(await stripe.subscriptions.retrieve('sub_seed_1')).toMatchObject({ customer: ALICE, latest_invoice: 'in_seed_3' })
  const prices = await stripe.prices.list({ active: true, lookup_keys: ['eur-1m'], expand: ['data.product'] })
  expect(prices.data).toMatchObject([{ product: { id: 'whereabouts_eur-1m' } }])
  const customer = await stripe.customers.retrieve(ALICE, { expand: ['invoice_settings.default_payment_method'] })
  expect(customer).toMatchObject({ invoice_settings: { default_payment_method: { card: { last4: '4242' } } } })
})

test('expanding a plain, unknown or too deep property is rejected with the reason', async () => {
  await using portal = await startPortal()
  const rows = [
    ['status', 'This property cannot be expanded (status).'],
    ['colour', 'This property cannot be expanded (colour).'],
    ['items', 'This property cannot be expanded (items).'],
    ['customer.email', 'This property cannot be expanded (customer.email).'],
    ['latest_invoice.customer.a.b.c', 'You cannot expand more than 4 levels of a property'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([path, message]) => {
        const request = portal.world.payments.stripe.subscriptions.retrieve('sub_seed_1', { expand: [path] })
        await expect(request).rejects.toMatchObject({
          statusCode: 400,
          type: 'StripeInvalidRequestError',
          message: expect.stringContaining(message),
        })
      },
    ),
  ).toEqual([])
})
