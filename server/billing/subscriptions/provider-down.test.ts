import { expect, test } from 'vitest'
import { checkouts } from '#db/schema/commerce.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { createPayments } from '#server/ports/payments.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, countRecords, item, readSubState, startCheckout, submitPayment } from './test-purchase.ts'

const { oldTracker } = SEED.devices
const keys = { secretKey: 'sk_test_1', publicKey: 'pk_test_1', webhookSecret: 'whsec_1' }

/** Starts a portal whose requests to Stripe all get the response of `fetch`. */
async function startOver(fetch: typeof globalThis.fetch) {
  const portal = await startPortal()
  const working = portal.world.payments
  portal.world.payments = createPayments({ ...keys, fetch })
  const mend = () => {
    portal.world.payments = working
  }
  return Object.assign(portal, { mend })
}

const refusing = (status: number, type: string) => async () =>
  Response.json({ error: { type, message: 'message of Stripe' } }, { status, headers: { 'stripe-should-retry': 'false' } })

test.each([
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), 503, 'unavailable'],
  ['is broken', refusing(500, 'api_error'), 503, 'unavailable'],
  ['limits our requests', refusing(429, 'rate_limit_error'), 503, 'unavailable'],
  ['rejects our key', refusing(401, 'invalid_request_error'), 500, 'server_error'],
  ['rejects our request', refusing(400, 'invalid_request_error'), 500, 'server_error'],
] as const)('when Stripe %s, nothing is bought and the error does not blame the buyer', async (_, fetch, status, code) => {
  await using portal = await startOver(fetch)
  const before = await countRecords(portal)
  for (const [url, body] of [
    ['/users/payment_session/', { items: [item(oldTracker)] }],
    ['/users/portal/', { return_path: '/' }],
  ] as const) {
    const answer = await portal.call(ALICE, 'POST', url, body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.service).toBe(status === 503 ? 'payments' : undefined)
    expect(JSON.stringify(answer.body)).not.toContain('message of Stripe')
  }
  expect([await countRecords(portal), await portal.world.db.read.$count(checkouts)]).toEqual([before, 0])
})

test('once Stripe is back, the same purchase succeeds', async () => {
  await using portal = await startOver(() => Promise.reject(new TypeError('fetch failed')))
  expect((await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker)] })).status).toBe(503)
  portal.mend()
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker)] }))
  expect((await readSubState(portal, oldTracker))[0]).toBe('active')
})
