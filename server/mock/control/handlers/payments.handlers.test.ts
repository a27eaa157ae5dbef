import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const GEORGE = 'george@example.com'

const pay = async (portal: Portal, path: string, body: object = {}, method = 'POST') =>
  portal.call(null, method, `/mock/payments/${path}`, method === 'GET' ? undefined : body)

async function checkout(portal: Portal, price = 'gbp-1m') {
  const body = { items: [{ device: SEED.devices.george, price }], options: [] }
  return (await portal.call(GEORGE, 'POST', '/users/payment_session/', body)).body.id as string
}
const stateOf = async (portal: Portal) =>
  (await portal.call(GEORGE, 'GET', `/devices/${SEED.devices.george}/`)).body.tracker_status.sub_state
const newest = async (portal: Portal) => (await portal.call(GEORGE, 'GET', '/users/subscriptions/')).body.at(-1)

describe('checkout', () => {
  test('a checkout can be paid, declined or confirmed without its page', async () => {
    await using portal = await startPortal()
    const id = await checkout(portal)
    const complete = (body: object) => pay(portal, `checkout/${id}/complete/`, body)
    expect((await complete({ card: 'declined' })).body).toMatchObject({ outcome: 'refused', fault: 'declined', status: 'open' })
    expect((await complete({ card: 'insufficient' })).body).toMatchObject({ outcome: 'refused', fault: 'insufficient_funds' })
    expect((await complete({ card: '3ds', sca: false })).body).toMatchObject({ outcome: 'refused', fault: 'authentication_failed' })
    expect((await complete({ card: '1234 1234 1234 1234' })).body).toMatchObject({ outcome: 'refused', fault: 'unknown_card' })
    for (const body of [{ card: 'gold' }, { card: {} }, {}])
      expect(await complete(body)).toMatchObject({
        status: 400,
        body: { errors: { card: ['One of success, declined, insufficient, 3ds, renewal_fails, or the number of a test card'] } },
      })
    expect(await stateOf(portal)).toBe('ended')
    expect((await complete({ card: '3ds' })).body).toMatchObject({ outcome: 'paid', status: 'complete', url: expect.any(String) })
    expect(await stateOf(portal)).toBe('active')
    expect(await complete({ card: 'success' })).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  })

  test('a checkout can be left, and expired before its day is over', async () => {
    await using portal = await startPortal()
    const id = await checkout(portal)
    expect((await pay(portal, `checkout/${id}/cancel`)).body).toMatchObject({ status: 'open', url: expect.stringContaining('cancel') })
    expect((await pay(portal, `checkout/${id}/expire`)).body).toMatchObject({ status: 'expired' })
    expect(await pay(portal, `checkout/${id}/complete`, { card: 'success' })).toMatchObject({ status: 410, body: { code: 'expired' } })
    expect((await pay(portal, 'checkout/cs_unknown/expire')).status).toBe(404)
  })
})

test('a purchase with the card renewal_fails is paid and its renewal fails, even for a customer with another card', async () => {
  const rows = [
    ['first purchase', GEORGE, SEED.devices.george, 'gbp-1m'],
    ['customer with another card', 'alice@example.com', SEED.devices.oldTracker, 'eur-1m'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([, buyer, device, price]) => {
        await using portal = await startPortal()
        const body = { items: [{ device, price }], options: [] }
        const { id } = (await portal.call(buyer, 'POST', '/users/payment_session/', body)).body
        expect((await pay(portal, `checkout/${id}/complete`, { card: 'renewal_fails' })).body).toMatchObject({
          ...{ outcome: 'paid', fault: null, status: 'complete' },
        })
        expect((await portal.call(buyer, 'GET', `/devices/${device}/`)).body.tracker_status.sub_state).toBe('active')
        await portal.call(null, 'PUT', '/mock/sim', { is_running: false })
        await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P32D' })
        const types = (await pay(portal, 'events', {}, 'GET')).body.map(({ type }: { type: string }) => type)
        expect(types.filter((type: string) => type === 'invoice.payment_failed')).toHaveLength(1)
        const mails = (await portal.call(null, 'GET', `/mock/mail?to=${buyer}&template=payment_failed`)).body
        expect(mails).toHaveLength(1)
      },
    ),
  ).toEqual([])
})

test('a subscription can be renewed now or made to fail, by its id in the portal', async () => {
  await using portal = await startPortal()
  await pay(portal, `checkout/${await checkout(portal)}/complete`, { card: 'success' })
  const bought = await newest(portal)
  const renew = (outcome: string) => pay(portal, `subscriptions/${bought.id}/renew`, { outcome })
  expect((await renew('success')).body).toMatchObject({ outcome: 'paid', fault: null, status: 'active' })
  expect(Date.parse((await newest(portal)).sub_end_date)).toBeGreaterThan(Date.parse(bought.sub_end_date))
  expect((await renew('declined')).body).toMatchObject({ outcome: 'refused', fault: 'declined', status: 'past_due' })
  expect((await portal.call(null, 'GET', `/mock/mail?to=${GEORGE}&template=payment_failed`)).body).toHaveLength(1)
  expect((await pay(portal, 'subscriptions/999999/renew')).status).toBe(404)
})

describe('webhook delivery', () => {
  const webhooks = (portal: Portal, change: object) => pay(portal, 'webhooks/', change, 'PUT')
  const events = async (portal: Portal) => (await pay(portal, 'events', {}, 'GET')).body
  const buy = async (portal: Portal) => pay(portal, `checkout/${await checkout(portal)}/complete`, { card: 'success' })
  const idsOf = (all: { id: string }[]) => all.map(({ id }) => id)
  const isGranted = async ({ world }: Portal) =>
    (await world.db.read.query.checkouts.findMany()).some(({ grantedAt }) => grantedAt !== null)

  test("events are delivered at once by default, and each shows the webhook's response", async () => {
    await using portal = await startPortal()
    expect((await pay(portal, 'webhooks', {}, 'GET')).body).toEqual({
      mode: 'auto',
      delay_ms: 0,
      order: 'as_happened',
      duplicate: false,
      drop: 0,
      signature: 'valid',
    })
    await buy(portal)
    expect((await events(portal))[0]).toMatchObject({
      type: 'checkout.session.completed',
      state: 'delivered',
      deliveries: [{ at: '2026-03-02T09:00:00Z', status: 200 }],
    })
  })

  test('in manual mode events wait until they are delivered one by one or flushed', async () => {
    await using portal = await startPortal()
    await webhooks(portal, { mode: 'manual' })
    const before = await isGranted(portal)
    await buy(portal)
    const waiting = await events(portal)
    expect(waiting.every(({ state }: { state: string }) => state === 'waiting')).toBe(true)
    expect(await isGranted(portal)).toBe(before)
    expect((await pay(portal, `events/${waiting[0].id}/deliver`)).body).toMatchObject({ state: 'delivered', deliveries: [{ status: 200 }] })
    expect(await isGranted(portal)).toBe(true)
    expect((await pay(portal, 'events/flush/')).body).toHaveLength(waiting.length - 1)
    expect((await pay(portal, 'events/evt_unknown/deliver')).status).toBe(404)
  })

  test('a delay counts by the clock of the world', async () => {
    await using portal = await startPortal()
    await webhooks(portal, { delay_ms: 60_000 })
    await buy(portal)
    expect((await events(portal))[0].state).toBe('waiting')
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT2M' })
    expect((await events(portal))[0]).toMatchObject({ state: 'delivered', deliveries: [{ at: '2026-03-02T09:01:00Z' }] })
  })

  test('events can be duplicated, reversed, badly signed or dropped', async () => {
    await using portal = await startPortal()
    await webhooks(portal, { duplicate: true, order: 'reversed' })
    await buy(portal)
    expect((await events(portal))[0].deliveries).toHaveLength(2)
    const renewed = `subscriptions/${(await newest(portal)).id}/renew`
    await webhooks(portal, { duplicate: false, signature: 'invalid' })
    await pay(portal, renewed)
    expect((await events(portal))[0]).toMatchObject({ state: 'refused', deliveries: [{ status: 400 }] })
    await webhooks(portal, { mode: 'off' })
    await pay(portal, renewed)
    expect((await events(portal))[0]).toMatchObject({ state: 'dropped', deliveries: [] })
    expect(await isGranted(portal)).toBe(true)
    expect((await webhooks(portal, { mode: 'sometimes' })).status).toBe(400)
  })
  test('dropped and shuffled events are the same for the same seed', async () => {
    async function deliveredEvents() {
      await using portal = await startPortal()
      await buy(portal)
      const known = (await events(portal)).length
      await webhooks(portal, { mode: 'manual', drop: 0.5, order: 'shuffled' })
      for (let times = 0; times < 4; times++) await pay(portal, `subscriptions/${(await newest(portal)).id}/renew`)
      const states = (await events(portal)).slice(0, -known).map(({ state }: { state: string }) => state)
      const waiting = (await events(portal)).filter(({ state }: { state: string }) => state === 'waiting')
      const flushed = (await pay(portal, 'events/flush')).body
      const [happened, came] = [idsOf(waiting).reverse(), idsOf(flushed)]
      // Ids may differ: other work of the world draws from the same sequence.
      return { states, order: came.map((id) => happened.indexOf(id)) }
    }
    const { states, order } = await deliveredEvents()
    expect(new Set(states)).toEqual(new Set(['dropped', 'waiting']))
    expect(order).not.toEqual([...order.keys()])
    expect(order.toSorted((a, b) => a - b)).toEqual([...order.keys()])
    expect(await deliveredEvents()).toEqual({ states, order })
  })

  test('the webhook refuses events without a signature', async () => {
    await using portal = await startPortal()
    await webhooks(portal, { signature: 'missing' })
    await buy(portal)
    expect((await events(portal))[0]).toMatchObject({ state: 'refused', deliveries: [{ status: 400 }] })
  })
})
