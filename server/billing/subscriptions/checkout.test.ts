import { describe, expect, test } from 'vitest'
import { findDevice, findPricesById, findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { buildCheckoutParams, buildPurchases, checkoutKey, mergeLines, validateSellable } from './checkout.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const { oldTracker, cityBike, rex, grandpa } = SEED.devices
const PATHS = { success_path: '/done', cancel_path: '/back' }
const BUYER = { customer: 'cus_1', accountId: 1, createdAt: new Date(0), language: 'fr' } as const

async function seeded() {
  await using portal = await startPortal()
  const { read } = portal.world.db
  const ids = [oldTracker, cityBike, rex, grandpa]
  const devices = new Map((await Promise.all(ids.map((id) => findDevice(read, id)))).map((device) => [device!.id, device!]))
  const prices = await findPricesById(
    read,
    ['eur-1m', 'eur-12m', 'eur-12m-once', 'eur-24m', 'eur-36m', 'eur-care', 'usd-12m'],
    portal.clock.now(),
  )
  const held = new Map(await Promise.all(ids.map(async (id) => [id, await findSubscription(read, id)] as const)))
  const shop = (items: [number, string][], options: [number, string][] = []) => {
    const lines = (pairs: [number, string][]) => pairs.map(([device, price]) => ({ device, price }))
    return buildPurchases({ items: lines(items), options: lines(options) }, devices, prices)
  }
  return { devices, prices, held, shop }
}

test('a line requested twice is bought once, in the order of the request', () => {
  const [a, b, c] = [
    { device: 1, price: 'x' },
    { device: 2, price: 'x' },
    { device: 1, price: 'y' },
  ]
  expect(mergeLines([a, b, a, c, b])).toEqual([a, b, c])
  expect(mergeLines([])).toEqual([])
  expect(mergeLines([{ ...a, amount: 1 } as typeof a])).toEqual([a])
})

describe('the contents of a cart', () => {
  test('a cart may hold plans for several trackers, with options for any of them', async () => {
    const { shop } = await seeded()
    const bought = shop(
      [
        [oldTracker, 'eur-12m-once'],
        [cityBike, 'eur-24m'],
      ],
      [[rex, 'eur-care']],
    )
    expect(bought.map(({ device, price }) => [device.id, price.id])).toEqual([
      [oldTracker, 'eur-12m-once'],
      [cityBike, 'eur-24m'],
      [rex, 'eur-care'],
    ])
  })

  test('R-9.20 a cart refuses the retired plan, an option as a plan and a plan as an option', async () => {
    const { shop } = await seeded()
    expect(() => shop([[cityBike, 'eur-36m']])).toThrow(expect.objectContaining({ code: 'unknown_price' }))
    expect(() => shop([[cityBike, 'eur-1m']], [[cityBike, 'eur-12m']])).toThrow(expect.objectContaining({ code: 'unknown_price' }))
    expect(() => shop([[cityBike, 'eur-care']])).toThrow(expect.objectContaining({ code: 'no_change' }))
  })

  test('a cart takes one currency, one plan per tracker and only trackers of the account', async () => {
    const { shop } = await seeded()
    expect(() =>
      shop([
        [cityBike, 'eur-1m'],
        [rex, 'usd-12m'],
      ]),
    ).toThrow(expect.objectContaining({ code: 'mixed_currency' }))
    expect(() =>
      shop([
        [cityBike, 'eur-1m'],
        [cityBike, 'eur-12m'],
      ]),
    ).toThrow(expect.objectContaining({ code: 'validation_error' }))
    expect(() => shop([[987_654, 'eur-1m']])).toThrow(expect.objectContaining({ code: 'not_found' }))
  })
})

describe('checks before a sale', () => {
  test('a renewing plan is not sold again while it runs, but is once it has ended', async () => {
    const { devices, held } = await seeded()
    const tracker = devices.get(rex)!
    expect(() => validateSellable(tracker, held.get(rex), NOW)).toThrow(expect.objectContaining({ code: 'recurring_active' }))
    const ended = { ...tracker, subEndDate: new Date(NOW.getTime() - 1) }
    expect(() => validateSellable(ended, held.get(rex), NOW)).not.toThrow()
    expect(() => validateSellable(tracker, { ...held.get(rex)!, isRecurring: false }, NOW)).not.toThrow()
  })

  test('R-6.6 nothing is sold for a tracker linked to a pro account, whatever subscription it has', async () => {
    const { devices } = await seeded()
    const linked = { ...devices.get(oldTracker)!, isLinkedToPro: true }
    expect(() => validateSellable(linked, undefined, NOW)).toThrow(expect.objectContaining({ code: 'device_linked_to_pro' }))
  })
})

describe('R-7.17 parameters of the Stripe checkout', () => {
  test('R-3.71 a monthly or yearly plan is a subscription, and one-time items in the cart are charged with it', async () => {
    const { shop } = await seeded()
    const params = buildCheckoutParams(shop([[cityBike, 'eur-24m']], [[cityBike, 'eur-care']]), BUYER, PATHS, 'http://portal.test')
    expect(params).toMatchObject({ mode: 'subscription', customer: 'cus_1', locale: 'fr', success_url: 'http://portal.test/done' })
    expect(params.line_items.map(({ price_data }) => price_data)).toMatchObject([
      { unit_amount: 2490, recurring: { interval: 'year', interval_count: 2 } },
      { unit_amount: 990 },
    ])
    expect(params.line_items[1]!.price_data).not.toHaveProperty('recurring')
    expect(params).not.toHaveProperty('invoice_creation')
  })

  test('R-3.72 a cart of one-time items is a payment with an invoice', async () => {
    const { shop } = await seeded()
    const params = buildCheckoutParams(shop([[cityBike, 'eur-12m-once']]), BUYER, PATHS, 'http://portal.test')
    expect(params).toMatchObject({ mode: 'payment', invoice_creation: { enabled: true }, client_reference_id: '1' })
    expect(params).not.toHaveProperty('subscription_data')
  })

  test('a cart of a hundred trackers fits into the length limits of Stripe', async () => {
    const { shop } = await seeded()
    const [one] = shop([[cityBike, 'eur-1m']])
    const many = Array.from({ length: 100 }, (_, index) => ({ ...one!, device: { ...one!.device, id: 1_000_000 + index } }))
    expect(buildCheckoutParams(many, BUYER, PATHS, 'http://portal.test').metadata.devices.length).toBeLessThanOrEqual(500)
  })
})

describe('the idempotency key of a checkout', () => {
  test('the same purchase on the same day has the same key; another day, cart or subscription has another', async () => {
    const { shop, held } = await seeded()
    const params = buildCheckoutParams(shop([[cityBike, 'eur-12m-once']]), BUYER, PATHS, 'http://portal.test')
    const other = buildCheckoutParams(shop([[cityBike, 'eur-24m']]), BUYER, PATHS, 'http://portal.test')
    const key = checkoutKey(params, [held.get(cityBike)], NOW)
    expect(checkoutKey(structuredClone(params), [held.get(cityBike)], new Date('2026-03-02T23:59:59Z'))).toBe(key)
    for (const another of [
      checkoutKey(other, [held.get(cityBike)], NOW),
      checkoutKey(params, [undefined], NOW),
      checkoutKey(params, [{ ...held.get(cityBike)!, id: 999 }], NOW),
      checkoutKey(params, [held.get(cityBike)], new Date('2026-03-03T00:00:00Z')),
    ])
      expect(another).not.toBe(key)
  })
})
