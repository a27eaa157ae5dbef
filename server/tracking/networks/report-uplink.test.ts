import { expect, test } from 'vitest'
import { UPLINK_DAYS } from '#server/jobs/clean-up.store.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import * as bodies from './test-bodies.ts'
import { ALICE, countPositions, forward, PLACE, type Portal, post, startNetworks, statusOf } from './test-networks.ts'

const { rex } = SEED.devices
const OTHER = { position_report: { y: -34.9, x: -56.15 }, cell: 3.61 }
const MAPPING = { latitude: 'position_report.y', longitude: 'position_report.x', battery: null }
const report = async (portal: Portal, minute: number, object: object = OTHER) =>
  post(portal, 'chirpstack?event=up', {
    ...bodies.CHIRPSTACK_UP,
    deduplicationId: `uplink ${minute}`,
    time: `2026-03-02T09:${String(minute).padStart(2, '0')}:00.123456789Z`,
    object,
  })
const readMapping = async (portal: Portal) => (await portal.call(ALICE, 'GET', `/devices/${rex}/uplink_mapping/`)).body
const saveMapping = (portal: Portal, mapping: object) => portal.call(ALICE, 'PUT', `/devices/${rex}/uplink_mapping/`, mapping)

test('a mapping reads the stored uplinks again and all later ones', async () => {
  await using portal = await startNetworks()
  forward(portal, 3 * 60_000)
  const before = await countPositions(portal)
  for (const minute of [1, 2, 3]) expect((await report(portal, minute)).body).toEqual({ read: 'message' })
  expect(await readMapping(portal)).toMatchObject({
    latitude: null,
    uplinks: 3,
    newest: { has_position: false, fields: { 'position_report.y': -34.9, 'position_report.x': -56.15, cell: 3.61 } },
  })
  expect((await saveMapping(portal, MAPPING)).body).toMatchObject({ ...MAPPING, added: 3, newest: { has_position: true } })
  expect(await countPositions(portal)).toBe(before + 3)
  expect((await statusOf(portal)).last_position).toMatchObject({ ...PLACE, datetime: '2026-03-02T09:03:00Z' })
  expect((await report(portal, 4)).body).toEqual({ read: 'position' })
  expect((await saveMapping(portal, MAPPING)).body.added).toBe(0)
})

test('reading uplinks again does not count as a report: a pending mode stays pending', async () => {
  await using portal = await startNetworks()
  await report(portal, 1)
  forward(portal, 3_600_000)
  const before = await statusOf(portal)
  await portal.call(ALICE, 'PATCH', `/devices/${rex}/tracker_config/`, { mode: 23 })
  await saveMapping(portal, MAPPING)
  const config = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_config/`)).body
  expect([config.mode_state, config.pending_mode]).toEqual(['sending', 23])
  expect((await statusOf(portal)).online_since).toEqual(before.online_since)
})

test('one half of a mapping is refused', async () => {
  await using portal = await startNetworks()
  expect(await saveMapping(portal, { ...MAPPING, longitude: null })).toMatchObject({
    status: 400,
    body: { errors: { longitude: expect.anything() } },
  })
})

test('uplinks are deleted after 30 days', async () => {
  await using portal = await startNetworks()
  await report(portal, 1)
  const day = (n: number) => new Date(portal.clock.now().getTime() + n * 86_400_000)
  await runDue(portal.world, day(UPLINK_DAYS - 1), { jobs: [cleanUp] })
  expect((await readMapping(portal)).uplinks).toBe(1)
  await runDue(portal.world, day(UPLINK_DAYS + 1), { jobs: [cleanUp] })
  expect((await readMapping(portal)).uplinks).toBe(0)
})
