import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { beforeEach, expect, test } from 'vitest'
import { createStripeServer } from './stripe-server.ts'

const DAY_MS = 86_400_000
const START = new Date('2026-03-02T09:00:00Z')

const clock = { at: START, now: () => clock.at }
let stripe: Stripe
let play: () => Promise<void>
let id: string

/** A subscription of 15 euros a month, paid until 2 April. */
beforeEach(async () => {
  clock.at = START
  const { app, ...server } = createStripeServer({ origin: 'http://stripe.test', clock })
  await app.listen({ port: 0, host: '127.0.0.1' })
  stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, protocol: 'http' })
  play = async () => void (await server.play())
  const { id: customer } = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const { id: product } = await stripe.products.create({ name: 'Tracker' })
  const { id: price } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 1500, recurring: { interval: 'month' } })
  id = (await stripe.subscriptions.create({ customer, items: [{ price }] })).id
  return () => app.close()
})

const seconds = (date: Date) => date.getTime() / 1000
const afterDays = (days: number) => new Date(START.getTime() + days * DAY_MS)
const passTo = async (date: Date) => {
  clock.at = date
  await play()
}
const newestInvoice = async () => (await stripe.invoices.list({ subscription: id })).data[0]!

test.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)('an invoice of a paused subscription with %s is not charged and becomes %s', async (behavior, status) => {
  const paused = await stripe.subscriptions.update(id, { pause_collection: { behavior } })
  expect(paused).toMatchObject({ status: 'active', pause_collection: { behavior, resumes_at: null } })
  await passTo(afterDays(40))
  expect(await newestInvoice()).toMatchObject({ status, amount_paid: 0 })
})

test('a pause ends by itself at its date, and the next invoice is charged', async () => {
  const resumes_at = seconds(afterDays(45))
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } })
  await passTo(afterDays(45))
  expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull()
  expect((await stripe.events.list({ type: 'customer.subscription.updated' })).data[0]).toMatchObject({
    created: resumes_at,
    data: { previous_attributes: { pause_collection: { behavior: 'void', resumes_at } } },
  })
  await passTo(afterDays(65))
  expect(await newestInvoice()).toMatchObject({ status: 'paid', amount_paid: 1500 })
})

test('an empty text ends a pause at once', async () => {
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
  expect((await stripe.subscriptions.update(id, { pause_collection: '' })).pause_collection).toBeNull()
})

test('a trial within a paid period moves the next charge to its end, with an invoice of zero and no credit', async () => {
  const trial_end = seconds(afterDays(50))
  const moved = await stripe.subscriptions.update(id, { trial_end, proration_behavior: 'none' })
  expect(moved).toMatchObject({ status: 'trialing', trial_end, billing_cycle_anchor: trial_end })
  expect(moved.items.data[0]).toMatchObject({ current_period_end: trial_end })
  expect(await newestInvoice()).toMatchObject({ total: 0, status: 'paid', billing_reason: 'subscription_update' })
  await passTo(afterDays(49))
  expect((await newestInvoice()).total).toBe(0)
  await passTo(afterDays(51))
  expect(await newestInvoice()).toMatchObject({ amount_paid: 1500, billing_reason: 'subscription_cycle' })
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
})

test('a subscription that ends with its period ends with the trial that moves it', async () => {
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const trial_end = seconds(afterDays(50))
  expect((await stripe.subscriptions.update(id, { trial_end, proration_behavior: 'none' })).cancel_at).toBe(trial_end)
})

test('without proration_behavior a trial credits the rest of the paid period', async () => {
  await stripe.subscriptions.update(id, { trial_end: seconds(afterDays(50)) })
  expect((await newestInvoice()).total).toBe(-1500)
})

test('a date in the past is rejected with its parameter', async () => {
  const past = seconds(afterDays(-1))
  await expect(stripe.subscriptions.update(id, { trial_end: past })).rejects.toMatchObject({ param: 'trial_end' })
  await expect(stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: past } })).rejects.toMatchObject({
    param: 'pause_collection[resumes_at]',
  })
})
