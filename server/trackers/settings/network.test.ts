import { expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const NOW = new Date('2026-03-02T09:00:00Z')
const { oldTracker, rex, spareTracker } = SEED.devices
const activate = (portal: Portal, id: number, email = ALICE) => portal.call(email, 'POST', `/devices/${id}/network_activate/`, {})
const stateOf = async (portal: Portal, id: number) => {
  const list = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body
  return list.find((device: { id: number }) => device.id === id).tracker_config.network_state
}
const later = (days: number, more = 0) => ({ at: new Date(NOW.getTime() + days * DAY_MS + more) })

test('R-2.33 R-4.9 activating the network of a silent tracker restarts its 90 days of silence', async () => {
  await using portal = await startPortal()
  expect(await stateOf(portal, oldTracker)).toBe('deactivated')
  const { status, body } = await activate(portal, oldTracker)
  expect([status, body.network_state]).toEqual([200, 'active'])
  expect(body).toEqual((await portal.call(ALICE, 'GET', `/devices/${oldTracker}/tracker_config/`)).body)
  expect(await stateOf(portal, oldTracker)).toBe('active')
  portal.clock.set(later(90))
  expect(await stateOf(portal, oldTracker)).toBe('active')
  portal.clock.set(later(90, 1))
  expect(await stateOf(portal, oldTracker)).toBe('deactivated')
})

test('activating the network does not change when the tracker was last heard', async () => {
  await using portal = await startPortal()
  const { body: before } = await portal.call(ALICE, 'GET', `/devices/${oldTracker}/tracker_status/`)
  await activate(portal, oldTracker)
  expect((await portal.call(ALICE, 'GET', `/devices/${oldTracker}/tracker_status/`)).body).toEqual(before)
})

test('activating an active network does nothing, and its silence keeps counting', async () => {
  await using portal = await startPortal()
  const { body: before } = await portal.call(ALICE, 'GET', `/devices/${spareTracker}/tracker_config/`)
  expect(await activate(portal, spareTracker)).toMatchObject({ status: 200, body: before })
  portal.clock.set(later(85))
  expect(await stateOf(portal, spareTracker)).toBe('deactivated')
})

test('an uplink does not reactivate the network, only the user does', async () => {
  await using portal = await startPortal()
  const message = { identifier: '10000000-09', positions: [] }
  await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': 'demo-device-key' })
  expect(await stateOf(portal, oldTracker)).toBe('deactivated')
  expect((await activate(portal, oldTracker)).body.network_state).toBe('active')
})

test('two simultaneous network activations publish one event', async () => {
  await using portal = await startPortal()
  const published: string[] = []
  portal.world.live.subscribe(
    ({ type, deviceId, data }) => void published.push(`${type} ${deviceId} ${JSON.parse(data).tracker_config.network_state}`),
  )
  await Promise.all([activate(portal, oldTracker), activate(portal, oldTracker)])
  expect(published).toEqual([`network ${oldTracker} active`])
})

test('R-6.9 support cannot activate the network, and trackers of others are not found', async () => {
  await using portal = await startPortal()
  expect((await activate(portal, rex, 'support@example.com')).status).toBe(403)
  expect(await activate(portal, rex, 'dario@example.com')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await activate(portal, SEED.devices.proVan, 'member@pro.example.com')).status).toBe(200)
  expect((await activate(portal, SEED.devices.proDog, 'member@pro.example.com')).status).toBe(404)
})
