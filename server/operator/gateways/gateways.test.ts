import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

const API = '/operator/api/gateways/'

test('a new gateway reports for every tracker until it ends', async () => {
  await using portal = await startPortal()
  const headers = await signInStaffAs(portal.world, { email: 'clerk@shop.example', name: 'Clerk', role: 'stock' })
  const { gateway, key } = (await portal.call(null, 'POST', API, { label: 'LoRa in the north' }, headers)).body
  const { identifier } = (await portal.call('alice@example.com', 'GET', `/devices/${SEED.devices.rex}/`)).body
  const report = () => {
    const position = { datetime: portal.clock.now().toISOString(), lat: 1, lng: 1, precision: 5 }
    return portal.call(null, 'POST', '/devices/ingest/', { identifier, positions: [position] }, { 'x-device-key': key })
  }
  expect((await report()).status).toBe(201)
  expect((await portal.call(null, 'GET', API, undefined, headers)).body[0]).toMatchObject({
    id: gateway.id,
    last_used_at: expect.any(String),
  })
  expect((await portal.call(null, 'DELETE', `${API}${gateway.id}/`, undefined, headers)).status).toBe(200)
  expect((await report()).status).toBe(401)
  expect((await portal.call(null, 'DELETE', `${API}${gateway.id}/`, undefined, headers)).status).toBe(404)
})

test('the key of a phone is no gateway: staff neither see nor end it', async () => {
  await using portal = await startPortal()
  const headers = await signInStaffAs(portal.world, { email: 'clerk@shop.example', name: 'Clerk', role: 'stock' })
  const { id } = (await portal.call('alice@example.com', 'POST', `/devices/${SEED.devices.rex}/keys/`, { label: 'Phone' })).body
  expect((await portal.call(null, 'GET', API, undefined, headers)).body.map((each: { id: number }) => each.id)).not.toContain(id)
  expect((await portal.call(null, 'DELETE', `${API}${id}/`, undefined, headers)).status).toBe(404)
})
