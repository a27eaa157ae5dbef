import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, item, startCheckout, submitPayment } from './test-purchase.ts'

type Held = { id: number; device: number }

const SUBSCRIPTIONS = '/users/subscriptions/'
const { rex, familyCar, cityBike, oldTracker, puppy, kitchen, newTracker, proVan } = SEED.devices

const listOf = async (portal: Awaited<ReturnType<typeof startPortal>>, email = ALICE) => {
  const { status, body } = await portal.call(email, 'GET', SUBSCRIPTIONS)
  expect(status).toBe(200)
  return body as Held[]
}

test('R-3.70 the subscription of every tracker that has or had one is listed in the order of the trackers', async () => {
  await using portal = await startPortal()
  const held = await listOf(portal)
  const devices = held.map(({ device }) => device)
  expect(devices).toEqual([...devices].sort((a, b) => a - b))
  expect(devices).toEqual(expect.arrayContaining([rex, oldTracker]))
  for (const without of [kitchen, newTracker]) expect(devices).not.toContain(without)
  expect(held.find(({ device }) => device === rex)).toEqual({
    id: rex,
    device: rex,
    type: 'recurring',
    price: 'eur-1m',
    tax: null,
    duration_months: 1,
    extra_months: 0,
    renewal_date: '2026-09-18T09:00:00Z',
    sub_end_date: '2026-09-18T09:00:00Z',
    options: [],
    renewal: { cancel_at_period_end: false, currency: 'eur', devices: [rex] },
  })
  expect(held.find(({ device }) => device === familyCar)).toMatchObject({ price: 'eur-12m', options: ['eur-care'] })
  expect(held.find(({ device }) => device === cityBike)).toMatchObject({ type: 'one_time', renewal_date: null, renewal: null })
})

test('trackers bought together are shown as renewing, ending and resuming together', async () => {
  await using portal = await startPortal()
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, 'eur-1m'), item(puppy, 'eur-1m')] }))
  const bought = async () => (await listOf(portal)).filter(({ device }) => device === oldTracker || device === puppy)
  const change = async (cancel_at_period_end: boolean) => {
    const [{ id } = { id: 0 }] = await bought()
    return (await portal.call(ALICE, 'PATCH', `${SUBSCRIPTIONS}${id}/`, { cancel_at_period_end })).body
  }
  const together = (cancel_at_period_end: boolean) => ({ renewal: { cancel_at_period_end, devices: [oldTracker, puppy] } })
  const renews = async () => (await portal.call(ALICE, 'GET', `/devices/${puppy}/`)).body.price.recurring
  expect(await bought()).toMatchObject([together(false), together(false)])
  expect(await renews()).toBe(true)
  expect(await change(true)).toMatchObject({ type: 'one_time', ...together(true) })
  expect(await renews()).toBe(false)
  expect(await bought()).toMatchObject([together(true), together(true)])
  expect(await change(false)).toMatchObject({ type: 'recurring', ...together(false) })
})

test('only the newest subscription of an extended tracker is listed', async () => {
  await using portal = await startPortal()
  const before = await listOf(portal)
  await submitPayment(portal, await startCheckout(portal, { items: [item(cityBike, 'eur-24m')], options: [item(cityBike, 'eur-care')] }))
  const after = await listOf(portal)
  expect(after).toHaveLength(before.length)
  expect(after.find(({ device }) => device === cityBike)).toMatchObject({
    type: 'recurring',
    price: 'eur-24m',
    duration_months: 24,
    extra_months: 1,
    renewal_date: '2028-03-02T09:00:00Z',
    sub_end_date: '2028-06-30T09:00:00Z',
    options: ['eur-care'],
  })
})

test('R-6.9 subscriptions of other accounts are not listed; a team member and support are refused', async () => {
  await using portal = await startPortal()
  expect(await listOf(portal, 'dario@example.com')).toEqual([])
  const team = (await listOf(portal, 'admin@pro.example.com')).map(({ device }) => device)
  expect(team).toContain(proVan)
  expect(team).not.toContain(rex)
  for (const email of ['member@pro.example.com', 'support@example.com'])
    expect(await portal.call(email, 'GET', SUBSCRIPTIONS)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
})
