import { expect, test } from 'vitest'
import { GOOD, item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { aliceFirst } = SEED.invoices
const { oldTracker } = SEED.devices

const change = (portal: Portal, path: string, body: object) => portal.call(null, 'POST', `/mock/payments/invoices/${path}`, body)
const findInvoice = async (portal: Portal, id: number = aliceFirst) =>
  (await portal.call(ALICE, 'GET', '/users/invoices/')).body.find((each: { id: number }) => each.id === id)

test('an invoice shows its refunded amount, which may be in several parts', async () => {
  await using portal = await startPortal()
  const before = await findInvoice(portal)
  expect(before).not.toHaveProperty('refunded')
  expect((await change(portal, `${aliceFirst}/refund`, { amount: 200 })).body).toEqual({ refunded: 200, amount: before.amount })
  expect(await findInvoice(portal)).toEqual({ ...before, refunded: 200 })
  await change(portal, `${aliceFirst}/refund`, {})
  expect(await findInvoice(portal)).toEqual({ ...before, refunded: before.amount })
  expect(await change(portal, `${aliceFirst}/refund`, {})).toMatchObject({
    status: 400,
    body: { errors: { amount: [expect.any(String)] } },
  })
  expect((await change(portal, '99999/refund', {})).status).toBe(404)
})

test.each(['won', 'lost'] as const)('a dispute at the bank is shown with its result %s', async (outcome) => {
  await using portal = await startPortal()
  const before = await findInvoice(portal)
  expect((await change(portal, `${aliceFirst}/dispute`, {})).body).toMatchObject({ status: 'needs_response' })
  expect(await findInvoice(portal)).toEqual({ ...before, dispute: 'open' })
  await change(portal, `${aliceFirst}/dispute`, { outcome })
  expect(await findInvoice(portal)).toEqual({ ...before, dispute: outcome })
})

test("the invoice of a purchase is found by its checkout's charge, and other invoices are unchanged", async () => {
  await using portal = await startPortal()
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, 'eur-1m')] }))
  const [bought] = (await portal.call(ALICE, 'GET', '/users/invoices/')).body
  await change(portal, `${bought.id}/refund`, { amount: 100 })
  await change(portal, `${bought.id}/dispute`, {})
  expect(await findInvoice(portal, bought.id)).toMatchObject({ refunded: 100, dispute: 'open' })
  expect(await findInvoice(portal)).not.toHaveProperty('dispute')
})

test('a refund and a dispute with lost webhooks are read from the list of events', async () => {
  await using portal = await startPortal()
  const { id } = (await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker, 'eur-1m')] })).body
  payCheckout(portal.world, id, GOOD)
  const work = createPaymentWorker()
  await work(portal.world)
  const { stripe } = portal.world.payments
  const [charge] = (await stripe.charges.list({ customer: 'cus_seed_alice', limit: 1 })).data
  await stripe.refunds.create({ charge: charge!.id, amount: 100 })
  portal.world.stripe.disputeInvoice((await stripe.invoices.list({ customer: 'cus_seed_alice', limit: 1 })).data[0]!.id, 'open')
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 2 * 3_600_000) })
  await work(portal.world)
  const [bought] = (await portal.call(ALICE, 'GET', '/users/invoices/')).body
  expect(bought).toMatchObject({ refunded: 100, dispute: 'open' })
})
