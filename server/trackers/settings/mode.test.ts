import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const ids = SEED.devices
const config = (id: number) => `/devices/${id}/tracker_config/`
const KEY = { 'x-device-key': 'demo-device-key' }

test('R-4.3 a requested mode is pending until the next uplink applies it', async () => {
  await using portal = await startPortal()
  const requested = await portal.call(ALICE, 'PATCH', config(ids.grandpa), { mode: 2 })
  expect(requested).toMatchObject({ status: 200, body: { mode: 1, pending_mode: 2, mode_state: 'sending' } })
  const { body: device } = await portal.call(ALICE, 'GET', `/devices/${ids.grandpa}/`)
  await portal.call(null, 'POST', '/devices/ingest/', { identifier: device.identifier, positions: [] }, KEY)
  const applied = await portal.call(ALICE, 'GET', config(ids.grandpa))
  expect(applied.body).toMatchObject({ mode: 2, pending_mode: null, mode_state: 'applied', frequency_moving: { min: 2, max: 2 } })
})

test('R-4.3 requesting the current mode cancels a pending one', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'PATCH', config(ids.deliveryVan), { mode: 9 })
  expect([status, body.mode, body.pending_mode, body.mode_state]).toEqual([200, 9, null, 'applied'])
  expect((await portal.call(ALICE, 'PATCH', config(ids.deliveryVan), { mode: 9 })).body.pending_mode).toBeNull()
})

test("modes that the tracker's kind or board does not have are refused", async () => {
  await using portal = await startPortal()
  const rows = [
    ['the vehicle alert for a person', ids.grandpa, 8],
    ['the lost mode of a vehicle for a dog', ids.rex, 7],
    ['an animal mode for a bike', ids.cityBike, 21],
    ['the configurable mode for a plain board', ids.misty, 50],
    ['a level for a configurable tracker', ids.coldBox, 1],
    ['an unknown mode', ids.rex, 99],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      async ([, id, mode]) => {
        expect(await portal.call(ALICE, 'PATCH', config(id), { mode })).toMatchObject({ status: 400, body: { code: 'mode_not_allowed' } })
      },
    ),
  ).toEqual([])
})

test('a tracker without an active subscription refuses a mode', async () => {
  await using portal = await startPortal()
  for (const id of [ids.puppy, ids.newTracker, ids.kitchen])
    expect(await portal.call(ALICE, 'PATCH', config(id), { mode: 4 })).toMatchObject({
      status: 409,
      body: { code: 'subscription_required' },
    })
})

test('a mode has to be a whole number', async () => {
  await using portal = await startPortal()
  for (const body of [{}, { mode: '2' }, { mode: 1.5 }]) expect((await portal.call(ALICE, 'PATCH', config(ids.rex), body)).status).toBe(400)
})

test('a requested mode is published to live streams', async () => {
  await using portal = await startPortal()
  const published: string[] = []
  portal.world.live.subscribe(({ type, data }) => void published.push(`${type} ${JSON.parse(data).tracker_config.pending_mode}`))
  await portal.call(ALICE, 'PATCH', config(ids.rex), { mode: 22 })
  expect(published).toEqual(['mode 22'])
})
