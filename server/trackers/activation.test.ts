import { describe, expect, test } from 'vitest'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices, includedMonthsUsed } from '#db/schema/devices.ts'
import { ALICE, item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Named = { name: string }

const ids = SEED.devices
const activate = (id: number) => `/devices/${id}/activate/`
const boost = (id: number) => `/devices/${id}/realtime_boost/`

test('R-1.16 activating a tracker returns 204 and changes no other tracker', async () => {
  await using portal = await startPortal()
  const before = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body
  const response = await portal.call(ALICE, 'POST', activate(ids.newTracker))
  expect([response.status, response.raw.length]).toEqual([204, 0])
  const after = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body
  const stateOf = (list: typeof before, id: number) => list.find((device: { id: number }) => device.id === id)
  expect(stateOf(after, ids.newTracker).tracker_status.sub_state).toBe('active')
  for (const device of before) if (device.id !== ids.newTracker) expect(stateOf(after, device.id)).toEqual(device)
})

test('activation starts the included plan with its extra months, or 12 months without a plan', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', async (tx) => {
    const row = { priceId: null, isRecurring: false, options: [], startedAt: portal.clock.now() }
    await tx.insert(subscriptions).values({ ...row, deviceId: ids.spareTracker, months: 24, extra: 2 })
  })
  const endOf = async (id: number) => (await portal.call(ALICE, 'GET', `/devices/${id}/tracker_status/`)).body.sub_end_date
  await portal.call(ALICE, 'POST', activate(ids.spareTracker), {})
  expect(await endOf(ids.spareTracker)).toBe('2028-05-02T09:00:00Z')
  await portal.call(ALICE, 'POST', activate(ids.newTracker), {})
  expect(await endOf(ids.newTracker)).toBe('2027-03-02T09:00:00Z')
})

describe('included months', () => {
  const DARIO = 'dario@example.com'
  const add = async (portal: Portal, email: string, identifier: string) =>
    (await portal.call(email, 'POST', '/devices/trackers/', { identifier, name: 'New', kind: 'other', type: 'tracker_01' })).body
  const numbers = [
    ['any', '12345678-90'],
    ['any', '90000000-01'],
    ['stock', '90000000-01'],
  ] as const

  test.each(numbers)('are used once where %s is claimed: %s needs a plan after it was removed and added again', async (claims, number) => {
    await using portal = await startPortal({ claims })
    const first = await add(portal, ALICE, number)
    expect(first.tracker_status.sub_state).toBe('not_activated')
    expect((await portal.call(ALICE, 'POST', activate(first.id))).status).toBe(204)
    for (const email of [ALICE, DARIO]) {
      const [latest] = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body.filter(({ name }: Named) => name === 'New')
      if (latest) await portal.call(ALICE, 'DELETE', `/devices/${latest.id}/`)
      const again = await add(portal, email, number)
      expect(again.tracker_status).toMatchObject({ sub_state: 'none', sub_end_date: null })
      expect((await portal.call(email, 'POST', activate(again.id))).body.code).toBe('not_activatable')
    }
  })

  test('are used once, also when the account is erased in between', async () => {
    await using portal = await startPortal()
    const { id } = await add(portal, DARIO, '90000000-01')
    await portal.call(DARIO, 'POST', activate(id))
    await portal.call(DARIO, 'DELETE', '/users/me/?profile=all')
    expect((await add(portal, ALICE, '90000000-01')).tracker_status.sub_state).toBe('none')
  })

  test('are used by one of two simultaneous activations', async () => {
    await using portal = await startPortal()
    const { id } = await add(portal, ALICE, '90000000-01')
    const responses = await Promise.all([1, 2].map(() => portal.call(ALICE, 'POST', activate(id))))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await portal.call(ALICE, 'GET', `/devices/${id}/tracker_status/`)).body.sub_end_date).toBe('2027-03-02T09:00:00Z')
  })

  test('are as many as the stock item has', async () => {
    await using portal = await startPortal()
    const { id } = await add(portal, ALICE, '90000000-08')
    await portal.call(ALICE, 'POST', activate(id))
    expect((await portal.call(ALICE, 'GET', `/devices/${id}/tracker_status/`)).body.sub_end_date).toBe('2028-03-02T09:00:00Z')
  })

  test('that were used since the tracker was added make its activation ask for a plan', async () => {
    await using portal = await startPortal()
    const { id } = await add(portal, ALICE, '90000000-01')
    await portal.world.db.write('everything', (tx) => tx.insert(includedMonthsUsed).values({ key: '9000000001', at: portal.clock.now() }))
    expect(await portal.call(ALICE, 'POST', activate(id))).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
    expect((await portal.call(ALICE, 'GET', `/devices/${id}/tracker_status/`)).body).toMatchObject({
      sub_state: 'none',
      sub_end_date: null,
    })
  })
})

test('an option bought before activation does not shorten the included plan', async () => {
  await using portal = await startPortal()
  const options = [item(ids.newTracker, 'eur-care')]
  await submitPayment(portal, await startCheckout(portal, { items: [item(ids.oldTracker)], options }))
  await portal.call(ALICE, 'POST', activate(ids.newTracker))
  const { body: held } = await portal.call(ALICE, 'GET', '/users/subscriptions/')
  expect(held.find((one: { device: number }) => one.device === ids.newTracker)).toMatchObject({
    ...{ sub_end_date: '2027-03-02T09:00:00Z', duration_months: 12, options: ['eur-care'] },
  })
})

test('only a tracker that is not activated can be activated, and only once', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'POST', activate(ids.newTracker))).status).toBe(204)
  for (const id of [ids.newTracker, ids.rex, ids.puppy, ids.kitchen])
    expect(await portal.call(ALICE, 'POST', activate(id))).toMatchObject({ status: 409, body: { code: 'not_activatable' } })
})

test('a tracker linked to a pro account cannot be activated by its owner or a member', async () => {
  await using portal = await startPortal()
  expect(await portal.call(ALICE, 'POST', activate(ids.companyVan))).toMatchObject({ status: 409, body: { code: 'device_linked_to_pro' } })
  expect((await portal.call('member@pro.example.com', 'POST', activate(ids.proVan))).status).toBe(403)
})

test('R-9.7 a boost lasts 5 to 60 minutes and reports every 30 seconds', async () => {
  await using portal = await startPortal()
  const response = await portal.call(ALICE, 'POST', boost(ids.rex), { duration_minutes: 60 })
  expect(response).toMatchObject({ status: 201, body: { active: true, until: '2026-03-02T10:00:00Z', interval_seconds: 30 } })
  for (const minutes of [4, 61, 5.5])
    expect((await portal.call(ALICE, 'POST', boost(ids.rex), { duration_minutes: minutes })).status).toBe(400)
})

test('ending a boost succeeds even when none is running', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', boost(ids.rex), { duration_minutes: 5 })
  for (const _ of [1, 2]) expect(await portal.call(ALICE, 'DELETE', boost(ids.rex))).toMatchObject({ status: 200, body: { active: false } })
  const rows = await portal.world.db.read.select().from(devices)
  expect(rows.find((row) => row.id === ids.rex)?.boostUntil).toBeNull()
})

test('every viewer sees until when a boost runs, and nothing after it ended', async () => {
  await using portal = await startPortal()
  const read = async () => {
    const list = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body
    return list.find((device: { id: number }) => device.id === ids.misty).tracker_config.boost_until
  }
  expect(await read()).toBeNull()
  await portal.call(ALICE, 'POST', boost(ids.misty), { duration_minutes: 5 })
  expect(await read()).toBe('2026-03-02T09:05:00Z')
  portal.clock.set({ at: new Date('2026-03-02T09:04:59.999Z') })
  expect(await read()).toBe('2026-03-02T09:05:00Z')
  portal.clock.set({ at: new Date('2026-03-02T09:05:00Z') })
  expect(await read()).toBeNull()
})

test('a boost requested during another changes its end, and each change is published', async () => {
  await using portal = await startPortal()
  const published: string[] = []
  portal.world.live.subscribe(({ type, data }) => void published.push(`${type} ${JSON.parse(data).tracker_config.boost_until}`))
  await portal.call(ALICE, 'POST', boost(ids.misty), { duration_minutes: 5 })
  portal.clock.set({ at: new Date('2026-03-02T09:04:00Z') })
  const { body } = await portal.call(ALICE, 'POST', boost(ids.misty), { duration_minutes: 30 })
  expect(body.until).toBe('2026-03-02T09:34:00Z')
  for (const _ of [1, 2]) await portal.call(ALICE, 'DELETE', boost(ids.misty))
  expect(published).toEqual(['mode 2026-03-02T09:05:00Z', 'mode 2026-03-02T09:34:00Z', 'mode null'])
})

test('a boost needs an active subscription', async () => {
  await using portal = await startPortal()
  const response = await portal.call(ALICE, 'POST', boost(ids.puppy), { duration_minutes: 5 })
  expect(response).toMatchObject({ status: 409, body: { code: 'subscription_required' } })
})
