import { expect, test } from 'vitest'
import { backUp, createLog, start } from '#server/billing/recovery/test-restore.ts'
import { createPayments } from '#server/ports/payments.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const KEYS = { secretKey: 'sk_test_1', publicKey: 'pk_test_1', webhookSecret: 'whsec_1' }

/** A Stripe that accepts each request and never responds. */
function createSilentStripe() {
  let open = 0
  let sent = 0
  const fetch: typeof globalThis.fetch = (_, init) => {
    open++
    sent++
    return new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => {
        open--
        reject(init.signal?.reason)
      }),
    )
  }
  return { fetch, countOpen: () => open, countSent: () => sent }
}

test("a user's request is rejected with 503 in time while Stripe does not respond, and leaves no call open", async () => {
  await using portal = await startPortal()
  const silent = createSilentStripe()
  const { logged, log } = createLog()
  portal.world.payments = createPayments({ ...KEYS, fetch: silent.fetch, log, limits: { callMs: 50, patienceMs: 200 } })
  for (const [url, body] of [
    ['/users/portal/', { return_path: '/' }],
    ['/users/payment_session/', { items: [{ device: 9, price: 'eur-1m' }] }],
  ] as const)
    expect(await portal.call(ALICE, 'POST', url, body)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  await expect.poll(silent.countOpen).toBe(0)
  expect(logged).toMatchObject([{ level: 'warn', message: 'the card provider does not answer' }])
})

test('background work calls an unresponsive Stripe once, logs one line, and then pauses', async () => {
  await using portal = await startPortal()
  const restore = await backUp(portal)
  const world = await restore()
  const silent = createSilentStripe()
  const { logged, log } = createLog()
  world.payments = createPayments({ ...KEYS, fetch: silent.fetch, log, limits: { callMs: 20, patienceMs: 200 } })
  await start(world).catch(() => undefined)
  const sent = silent.countSent()
  await start(world)
  await start(world)
  expect(silent.countSent()).toBe(sent)
  expect(logged).toHaveLength(1)
  expect(world.logged).toEqual([])
})
