import { eq, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { Price } from '#contracts/billing/subscriptions.ts'
import { users } from '#db/schema/accounts.ts'
import { checkouts, prices, subscriptions } from '#db/schema/commerce.ts'
import { parseItems } from '#server/billing/records/purchase-metadata.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const { companyVan, cityBike, misty, rex, victorFree } = SEED.devices
const PAY = '/users/payment_session/'
const link = (device: number, code?: string) =>
  `/devices/${device}/activate_subscription/${code === undefined ? '' : `?code=${encodeURIComponent(code)}`}`
const item = (device: number, price = 'eur-12m-once') => ({ device, price })

test('R-6.6 nothing can be linked to or bought for a tracker of a pro account', async () => {
  await using portal = await startPortal()
  const linked = await portal.call(ALICE, 'GET', link(companyVan, CODES.valid))
  const bought = await portal.call(ALICE, 'POST', PAY, { items: [item(companyVan)] })
  for (const answer of [linked, bought]) expect(answer).toMatchObject({ status: 409, body: { code: 'device_linked_to_pro' } })
})

test('R-6.9 a tracker of another account is answered 404', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'GET', link(victorFree, CODES.valid))).status).toBe(404)
  expect((await portal.call(ALICE, 'POST', PAY, { items: [item(victorFree)] })).body.code).toBe('not_found')
})

test('R-7.12 prices list plans by ascending months, then options, without the retired plan', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', '/users/tracker_prices')
  expect(status).toBe(200)
  const prices = body.map((price: unknown) => Price.parse(price))
  const euros = prices.filter((price: Price) => price.currency === 'eur')
  expect(euros.map((price: Price) => price.id)).toEqual(['eur-1m', 'eur-3m', 'eur-12m', 'eur-12m-once', 'eur-24m', 'eur-care'])
  expect(prices.map((price: Price) => price.type)).toEqual(
    prices
      .map((price: Price) => price.type)
      .toSorted()
      .reverse(),
  )
  expect(euros[4]).toMatchObject({
    unit_amount: 2490,
    recurring: { interval: 'year', interval_count: 2 },
    meta_data: { months: 24, extra: 1 },
  })
  expect(euros[3].recurring).toBeNull()
  expect((await portal.call(ALICE, 'GET', '/users/tracker_prices/')).body).toEqual(body)
})

test('R-7.17 a payment session opens a checkout with the prices of our table', async () => {
  await using portal = await startPortal()
  const asked = { items: [item(cityBike), item(cityBike)], options: [item(cityBike, 'eur-care'), item(cityBike, 'eur-care')], amount: 1 }
  const { status, body } = await portal.call(ALICE, 'POST', PAY, asked)
  expect(status).toBe(200)
  expect(body).toEqual({ public_key: 'pk_test_whereabouts', id: body.id, url: `http://portal.test/mock/stripe/checkout/${body.id}` })
  const session = portal.world.stripe.findSession(body.id)!
  expect(session).toMatchObject({ mode: 'payment', amount_total: 1695 + 990, currency: 'eur', locale: 'en' })
  expect(session.success_url).toBe('http://portal.test/subscription?checkout=success')
  expect(session.metadata).toMatchObject({ account: '1', devices: String(cityBike) })
  expect(parseItems(session.metadata)).toMatchObject([
    { device: cityBike, price: 'eur-12m-once', type: 'plan', months: 12, extra: 0 },
    { device: cityBike, price: 'eur-care', type: 'option', months: 0, extra: 0 },
  ])
  const lines = portal.world.stripe.listLineItems(body.id)
  expect(lines.map((line) => line.description)).toEqual(['1 year, paid once', 'care'])
  expect(session.custom_text.submit).toEqual({ message: 'City bike' })
})

test('R-7.17 a double click opens one checkout', async () => {
  await using portal = await startPortal()
  const [first, second] = await Promise.all([1, 2].map(() => portal.call(ALICE, 'POST', PAY, { items: [item(cityBike)] })))
  expect(first!.body.id).toBe(second!.body.id)
})

test('R-7.17 the same cart leads to the same open checkout: in another order, from another tab, past midnight', async () => {
  await using portal = await startPortal()
  portal.clock.set({ at: new Date('2026-03-20T23:55:00Z') })
  const cart = [item(cityBike), item(misty)]
  const open = async (items: object[], more: object = {}) => (await portal.call(ALICE, 'POST', PAY, { items, ...more })).body.id
  const [first, ...others] = await Promise.all([
    open(cart),
    open(cart.toReversed()),
    open(cart, { success_path: '/subscription?before=7', cancel_path: '/subscription?devices=3,2' }),
  ])
  portal.clock.set({ at: new Date('2026-03-21T00:09:00Z') })
  expect([...others, await open(cart)]).toEqual([first, first, first])
  for (const [items, more] of [
    [[item(cityBike)], {}],
    [[item(cityBike, 'eur-24m'), item(misty)], {}],
    [cart, { options: [item(misty, 'eur-care')] }],
  ] as const)
    expect(await open([...items], more)).not.toBe(first)
})

test('R-7.17 a changed price or another language opens another checkout', async () => {
  await using portal = await startPortal()
  const open = async () => (await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike)] })).body.id
  const seen = new Set([await open()])
  await portal.world.db.write('everything', (tx) => tx.update(prices).set({ unitAmount: 1795 }).where(eq(prices.id, 'eur-12m-once')))
  seen.add(await open())
  await portal.world.db.write('everything', (tx) => tx.update(users).set({ language: 'fr' }).where(eq(users.email, ALICE)))
  seen.add(await open())
  expect([seen.size, seen.has(await open())]).toEqual([3, true])
})

test('R-7.17 after an expired checkout a new one is opened, the same for a double click', async () => {
  await using portal = await startPortal()
  const open = async () => (await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike)] })).body.id
  const { sessions } = portal.world.payments.stripe.checkout
  const seen = new Set<string>()
  for (const count of [1, 2, 3]) {
    const [id, again] = await Promise.all([open(), open()])
    expect([again, seen.add(id).size, (await sessions.retrieve(id)).status]).toEqual([id, count, 'open'])
    await sessions.expire(id)
  }
})

test('R-7.17 a checkout that is paid but not granted is not returned again', async () => {
  await using portal = await startPortal()
  const open = async () => (await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike)] })).body.id
  const paid = await open()
  portal.world.stripe.pay(paid, '4242424242424242')
  const { status } = await portal.world.payments.stripe.checkout.sessions.retrieve(paid)
  expect([status, await portal.world.db.read.$count(checkouts, isNotNull(checkouts.grantedAt))]).toEqual(['complete', 0])
  expect(await open()).not.toBe(paid)
})

const REFUSED_SESSIONS: [object, string][] = [
  [{ items: [item(cityBike, 'eur-care')] }, 'no_change'],
  [{ items: [item(cityBike, '')] }, 'no_change'],
  [{ items: [item(cityBike, 'nothing')] }, 'unknown_price'],
  [{ items: [item(cityBike, 'eur-36m')] }, 'unknown_price'],
  [{ items: [item(cityBike)], options: [item(cityBike, 'eur-12m')] }, 'unknown_price'],
  [{ items: [item(cityBike), item(misty, 'usd-12m')] }, 'mixed_currency'],
  [{ items: [item(cityBike)], options: [item(cityBike, 'gbp-care')] }, 'mixed_currency'],
  [{ items: [item(cityBike), item(cityBike, 'eur-24m')] }, 'validation_error'],
  [{ items: [] }, 'validation_error'],
  [{ items: [item(cityBike)], success_path: '//evil.example' }, 'validation_error'],
  [{ items: [item(cityBike)], cancel_path: 'https://evil.example/' }, 'validation_error'],
  [{ items: [item(cityBike)], success_path: '/\\evil.example' }, 'validation_error'],
]
test('an unsuitable payment session is refused with its own error code', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    REFUSED_SESSIONS,
    ([body]) => JSON.stringify(body),
    async ([body, code]) => expect(await portal.call(ALICE, 'POST', PAY, body)).toMatchObject({ status: 400, body: { code } }),
  )
  expect(failures).toEqual([])
})

test('while a subscription runs, a purchase in another currency is refused with the currency of the running one', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(ALICE, 'GET', '/users/subscriptions/')
  expect(body.find(({ device }: { device: number }) => device === rex).renewal.currency).toBe('eur')
  const refused = await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike, 'usd-12m')] })
  expect(refused).toMatchObject({ status: 400, body: { code: 'mixed_currency', currency: 'eur' } })
  expect((await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike)] })).status).toBe(200)
})

test('a subscription in another currency that only Stripe knows refuses a purchase too', async () => {
  await using portal = await startPortal()
  const { data } = await portal.world.payments.stripe.subscriptions.list({ customer: 'cus_seed_alice' })
  expect(data.length).toBeGreaterThan(0)
  await portal.world.db.write('everything', (tx) => tx.update(subscriptions).set({ providerId: null, status: 'canceled' }))
  const refused = await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike, 'usd-12m')] })
  expect(refused).toMatchObject({ status: 400, body: { code: 'mixed_currency' } })
})

test('nothing can be bought on top of a subscription that renews', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', PAY, { items: [item(cityBike), item(rex)] })
  expect([status, body.code]).toEqual([409, 'recurring_active'])
})

test('R-7.11 the billing portal opens and links back to this site only', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', '/users/portal/', { return_path: '/payment_methods' })
  expect([status, body.url]).toEqual([200, expect.stringContaining('http://portal.test/mock/stripe/portal/')])
  for (const return_path of ['//evil.example', 'https://x', 'payment_methods', '/\\evil.example']) {
    const refused = await portal.call(ALICE, 'POST', '/users/portal/', { return_path })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_return_path' } })
  }
  expect((await portal.call(ALICE, 'POST', '/users/portal/', {})).body.code).toBe('validation_error')
})

test('a customer that Stripe has deleted is created again', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', '/users/portal/', { return_path: '/' })
  const { stripe } = portal.world.payments
  const [account] = await portal.world.db.read.query.accounts.findMany({ where: (row, { eq }) => eq(row.id, 1) })
  await stripe.customers.del(account!.stripeCustomer!)
  expect((await portal.call(ALICE, 'POST', '/users/portal/', { return_path: '/' })).status).toBe(200)
  const [renewed] = await portal.world.db.read.query.accounts.findMany({ where: (row, { eq }) => eq(row.id, 1) })
  expect(renewed!.stripeCustomer).not.toBe(account!.stripeCustomer)
  expect(await stripe.customers.retrieve(renewed!.stripeCustomer!)).toMatchObject({ email: ALICE, metadata: { account: '1' } })
})

test.each(['member@pro.example.com', 'support@example.com'])('%s has no access to commerce', async (email) => {
  await using portal = await startPortal()
  const device = SEED.devices.proVan
  expect((await portal.call(email, 'GET', '/users/tracker_prices')).status).toBe(403)
  expect((await portal.call(email, 'POST', PAY, { items: [item(device)] })).status).toBe(403)
  expect((await portal.call(email, 'POST', '/users/portal/', { return_path: '/' })).status).toBe(403)
  expect((await portal.call(email, 'GET', link(device, CODES.valid))).status).toBe(403)
})

test('the administrator of a pro account can buy for it', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ADMIN, 'GET', '/users/tracker_prices')).status).toBe(200)
  expect((await portal.call(null, 'GET', '/users/tracker_prices')).status).toBe(401)
})
