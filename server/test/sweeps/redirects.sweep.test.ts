import { expect, test } from 'vitest'
import { isSafePath } from '#contracts/rules/navigation.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { encodings, HOSTILE, ORIGIN, staysHere } from './hostile-targets.ts'

test('no hostile target is a safe path', () => {
  expect(HOSTILE.filter((target) => isSafePath(target))).toEqual([])
})

test('the entry link of a world leads to no other site', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/worlds', { id: 'mine' })
  expect(
    await collectFailures(encodings, String, async (to) => {
      const { status, headers } = await portal.call(null, 'GET', `/mock/enter/mine?to=${to}`)
      expect([status, staysHere(headers.location)], String(headers.location)).toEqual([302, true])
    }),
  ).toEqual([])
})

test('a checkout of subscriptions or of a replacement returns to no other site', async () => {
  await using portal = await startPortal()
  const items = [{ device: SEED.devices.rex, price: 'eur-12m-once' }]
  const good = { success_path: '/subscription', cancel_path: '/subscription' }
  const calls: [string, object][] = [
    ['/users/payment_session/', { items }],
    [`/devices/${SEED.devices.rex}/care_claim/payment_session/`, {}],
  ]
  expect(
    await collectFailures(
      HOSTILE,
      (target) => JSON.stringify(target),
      async (target) => {
        for (const [path, body] of calls)
          for (const field of ['success_path', 'cancel_path']) {
            const { status, body: answer } = await portal.call('alice@example.com', 'POST', path, { ...body, ...good, [field]: target })
            expect([status, Object.keys(answer.errors ?? {})]).toEqual([400, [field]])
          }
      },
    ),
  ).toEqual([])
})

test('the pages of the fake Stripe link only to the shop of their session, whatever the request contains', async () => {
  await using portal = await startPortal()
  const checkout = () =>
    portal.world.payments.stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: `${ORIGIN}/paid`,
      cancel_url: `${ORIGIN}/left`,
      line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 100, product_data: { name: 'Rex' } } }],
    })
  const names = ['success_url', 'cancel_url', 'return_url', 'success_path', 'return_path', 'next', 'to', 'url', 'redirect']
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  let redirects = 0
  expect(
    await collectFailures(encodings, String, async (to) => {
      const { id } = await checkout()
      const extra = names.map((name) => `${name}=${to}`).join('&')
      for (const url of [
        `/mock/stripe/checkout/${id}`,
        `/mock/stripe/checkout/${to}`,
        `/mock/stripe/portal/${to}`,
        `/mock/stripe/invoice/${to}`,
      ])
        for (const path of [url, `${url}/confirm`]) {
          const payload = `number=4242424242424242&expiry=12%20%2F%2034&cvc=123&${extra}`
          for (const method of ['GET', 'POST', 'GET'] as const) {
            const {
              headers: sent,
              statusCode,
              body,
            } = await portal.app.inject({
              method,
              url: `${path}?${extra}`,
              headers,
              ...(method === 'POST' && { payload }),
            })
            expect(statusCode).toBeLessThan(500)
            for (const [, link = ''] of body.matchAll(/(?:href|action)="([^"]*)"/g)) expect(staysHere(link), link).toBe(true)
            if (sent.location === undefined) continue
            redirects++
            expect(staysHere(sent.location), String(sent.location)).toBe(true)
          }
        }
    }),
  ).toEqual([])
  expect(redirects).toBeGreaterThan(encodings.length)
})

test('the fake Stripe rejects shop addresses that a browser would run or read as another scheme', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const { id: customer } = await stripe.customers.create({ email: 'a@example.com' })
  const line_items = [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 100, product_data: { name: 'Rex' } } }]
  expect(
    await collectFailures(
      HOSTILE.filter((target) => !/^\s*https?:/.test(target)),
      (target) => JSON.stringify(target),
      async (target) => {
        const sessions = stripe.checkout.sessions
        await expect(sessions.create({ mode: 'payment', success_url: target, line_items })).rejects.toThrow()
        await expect(sessions.create({ mode: 'payment', success_url: ORIGIN, cancel_url: target, line_items })).rejects.toThrow()
        await expect(stripe.billingPortal.sessions.create({ customer, return_url: target })).rejects.toThrow()
      },
    ),
  ).toEqual([])
})

test('the portal of the card provider leads back to no other site', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(
      HOSTILE,
      (target) => JSON.stringify(target),
      async (target) => {
        const { status } = await portal.call('alice@example.com', 'POST', '/users/portal/', { return_path: target })
        expect(status).toBe(400)
      },
    ),
  ).toEqual([])
})
