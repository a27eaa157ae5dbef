import { expect, test } from 'vitest'
import { runTasks } from '#server/billing/sync/payment-worker.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, item, startCheckout, submitPayment } from './test-purchase.ts'

const { kitchen, familyCar, grandpa, rex, oldTracker } = SEED.devices
const link = (device: number, code?: string) =>
  `/devices/${device}/activate_subscription/${code === undefined ? '' : `?code=${encodeURIComponent(code)}`}`

test('R-7.5 a code links its subscription once', async () => {
  await using portal = await startPortal()
  const { status, body, headers } = await portal.call(ALICE, 'GET', link(kitchen, ' link-20 26 '))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    device: kitchen,
    sub_state: 'active',
    sub_end_date: '2027-04-02T09:00:00Z',
    subscription: { type: 'one_time', price: null, duration_months: 12, extra_months: 1, renewal_date: null },
  })
  expect(headers['cache-control']).toBe('no-store')
  portal.clock.set({ at: new Date('2026-03-05T09:00:00Z') })
  expect((await portal.call(ALICE, 'GET', link(kitchen, CODES.valid))).body).toEqual(body)
  const { body: device } = await portal.call(ALICE, 'GET', `/devices/${kitchen}/`)
  expect(device.tracker_status.sub_state).toBe('active')
  expect(new Date(device.tracker_status.sub_end_date)).toEqual(new Date(body.sub_end_date))
})

test('R-7.5 a code sent twice simultaneously links one subscription', async () => {
  await using portal = await startPortal()
  const answers = await Promise.all([1, 2].map(() => portal.call(ALICE, 'GET', link(kitchen, CODES.valid))))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]!.body).toEqual(answers[1]!.body)
})

const REFUSED_CODES: [string | undefined, string][] = [
  [undefined, 'code_required'],
  ['  ', 'code_required'],
  [CODES.withoutSubscription, 'no_subscription'],
  [CODES.used, 'no_subscription'],
  ['UNKNOWN1', 'no_subscription'],
  ['short', 'no_subscription'],
]
test('R-4.20 a missing, used, unknown or malformed code is refused', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    REFUSED_CODES,
    ([code]) => String(code),
    async ([code, expected]) => {
      const response = await portal.call(ALICE, 'GET', link(kitchen, code))
      expect(response).toMatchObject({ status: 400, body: { code: expected }, headers: { 'cache-control': 'no-store' } })
    },
  )
  expect(failures).toEqual([])
})

test('a tracker without an end date still has none after a code', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', link(grandpa, CODES.valid))
  expect([status, body.sub_state, body.sub_end_date]).toEqual([200, 'active', null])
})

test('R-7.5 a code already used on this tracker returns the current subscription', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', link(familyCar, CODES.used))
  expect([status, body.sub_end_date]).toEqual([200, '2026-12-27T09:00:00Z'])
})

test('the 401 and 403 responses to a code are not cacheable', async () => {
  await using portal = await startPortal()
  for (const [email, status] of [
    [null, 401],
    ['support@example.com', 403],
  ] as const)
    expect(await portal.call(email, 'GET', link(kitchen, CODES.valid))).toMatchObject({ status, headers: { 'cache-control': 'no-store' } })
})

test('a HEAD request links nothing and uses up no code', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'HEAD', link(kitchen, CODES.valid))).status).toBe(404)
  expect((await portal.call(ALICE, 'GET', `/devices/${kitchen}/`)).body.tracker_status.sub_state).not.toBe('active')
  expect((await portal.call(ALICE, 'GET', link(kitchen, CODES.valid))).body.sub_end_date).toBe('2027-04-02T09:00:00Z')
})

test('a code replaces the renewing subscription, and its card is charged no more', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  expect(await stripe.subscriptions.retrieve(`sub_seed_${rex}`)).toMatchObject({ status: 'active' })
  expect((await portal.call(ALICE, 'GET', link(rex, CODES.valid))).status).toBe(200)
  const { body: held } = await portal.call(ALICE, 'GET', '/users/subscriptions/')
  expect(held.find((one: { device: number }) => one.device === rex)).toMatchObject({ type: 'one_time', renewal_date: null, renewal: null })
  await runTasks(portal.world)
  expect(await stripe.subscriptions.retrieve(`sub_seed_${rex}`)).toMatchObject({ status: 'canceled' })
})

test('R-9.18 a care plan is preserved when a code is linked, because it has no time limit', async () => {
  await using portal = await startPortal()
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care')] }))
  expect((await portal.call(ALICE, 'GET', link(oldTracker, CODES.valid))).status).toBe(200)
  const { body: held } = await portal.call(ALICE, 'GET', '/users/subscriptions/')
  expect(held.find((one: { device: number }) => one.device === oldTracker)).toMatchObject({ options: ['eur-care'] })
})
