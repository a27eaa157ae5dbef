import { expect, test } from 'vitest'
import reference from '#docs/openapi.json' with { type: 'json' }
import { ALICE, item, startCheckout } from '#server/billing/subscriptions/test-purchase.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createTestLog } from '#server/test/test-app.ts'
import { readStored } from '#server/test/test-database.ts'

const TEST_CARD = '4242 4242 4242 4242'
/** A number that looks real to the page. */
const REAL_LOOKING = '4539-1488 0343 6467'
const digitsOf = (text: string) => text.replace(/[^\d]/g, '')

test('R-3.81 a card number typed on any page of Stripe is in no log, row or response', async () => {
  const { told, logger } = createTestLog()
  await using portal = await startPortal({ app: { logger } })
  const pages = [
    `/mock/stripe/checkout/${await startCheckout(portal, { items: [item(3)] })}`,
    new URL((await portal.call(ALICE, 'POST', '/users/portal/', { return_path: '/' })).body.url).pathname,
    '/mock/stripe/invoice/in_seed_12',
  ]
  const type = (url: string, number: string) =>
    portal.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ number, expiry: '12 / 34', cvc: '987' }).toString(),
    })
  let said = ''
  for (const url of pages) {
    const refused = await type(url, REAL_LOOKING)
    expect([refused.statusCode, (await type(url, TEST_CARD)).statusCode]).toEqual([402, 303])
    said += refused.body
  }
  Object.assign(portal.world.stripe, { payInvoice: () => JSON.parse('') })
  expect((await type(pages[2]!, REAL_LOOKING)).statusCode).toBe(500)
  expect(told).toMatchObject([{ msg: 'a request failed' }])
  const kept = digitsOf(await readStored(portal.world.db))
  const logged = digitsOf(JSON.stringify(told))
  for (const text of [logged, kept, digitsOf(said)]) expect(text).not.toContain(digitsOf(REAL_LOOKING))
  for (const text of [logged, kept]) expect(text).not.toContain(digitsOf(TEST_CARD))
  expect(JSON.stringify(portal.world.stripe.events)).not.toMatch(/4242 4242 4242|424242424242|5105/)
})

test('R-3.81 no endpoint takes a card number', () => {
  const bodies = Object.entries(reference.paths).flatMap(([path, calls]) =>
    Object.values(calls).map((call) => [path, JSON.stringify(('requestBody' in call && call.requestBody) || {})] as const),
  )
  expect(bodies.filter(([, body]) => body.length > 2).length).toBeGreaterThan(20)
  expect(bodies.filter(([, body]) => /cvc|cvv|card_?number|pan"|exp_month/i.test(body))).toEqual([])
})

test('R-3.64 R-3.78 every amount in a response is a whole number of minor units', async () => {
  await using portal = await startPortal()
  const amounts: unknown[] = []
  for (const email of [ALICE, 'usha@example.com', 'bruno@example.com'])
    for (const path of [
      '/users/tracker_prices',
      '/users/orders/',
      '/users/orders/ORD-1003/',
      '/users/invoices/',
      '/users/subscriptions/',
    ]) {
      const { body } = await portal.call(email, 'GET', path)
      JSON.stringify(body, (name, value) => {
        if (/^(unit_amount|amount|balance|total|tax)$/.test(name) && value !== null) amounts.push(value)
        return value
      })
    }
  expect(amounts.length).toBeGreaterThan(40)
  expect(amounts.filter((amount) => !Number.isSafeInteger(amount) || Number(amount) < 0)).toEqual([])
})
