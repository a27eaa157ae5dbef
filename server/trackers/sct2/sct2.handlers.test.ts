import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { coldBox, rex } = SEED.devices
const path = (id: number, query = '') => `/devices/${id}/tracker_config/mode_param2/${query}`
const PARAMS = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 }

test('the parameters of the configurable mode can be read', async () => {
  await using portal = await startPortal()
  expect(await portal.call(ALICE, 'GET', path(coldBox))).toMatchObject({ status: 200, body: PARAMS })
})

test('parameters are not found on a tracker without an SCT2 board or of another account', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'GET', path(rex))).status).toBe(404)
  expect((await portal.call(ALICE, 'PATCH', path(rex, '?action=ui'), PARAMS)).status).toBe(404)
  expect((await portal.call('dario@example.com', 'GET', path(coldBox))).status).toBe(404)
  expect((await portal.call('dario@example.com', 'PATCH', path(coldBox, '?action=ui'), PARAMS)).status).toBe(404)
})

test('R-7.2 saving parameters requests the configurable mode', async () => {
  await using portal = await startPortal()
  const params = { ...PARAMS, frequency: 1, keepalive_period: 1, temp_slice_duration: 720 }
  expect(await portal.call(ALICE, 'PATCH', path(coldBox, '?action=ui'), params)).toMatchObject({ status: 200, body: params })
  expect((await portal.call(ALICE, 'GET', path(coldBox))).body).toEqual(params)
  const { body } = await portal.call(ALICE, 'GET', `/devices/${coldBox}/tracker_config/`)
  expect(body).toMatchObject({
    pending_mode: 50,
    mode_state: 'sending',
    frequency_moving: { min: 1, max: 1 },
    frequency_stationary: { min: 1 },
  })
})

test('R-7.2 saving parameters needs the query action=ui', async () => {
  await using portal = await startPortal()
  for (const query of ['', '?action=api'])
    expect(await portal.call(ALICE, 'PATCH', path(coldBox, query), PARAMS)).toMatchObject({
      status: 400,
      body: { code: 'action_required' },
    })
})

test('R-5.14 invalid parameters of the configurable mode are refused with an error for their field', async () => {
  await using portal = await startPortal()
  const rows = [
    { frequency: 0 },
    { frequency: 181 },
    { frequency: 1.5 },
    { frequency: '60' },
    { keepalive_period: 1441 },
    { temp_uplink_slices_duration: 3 },
    { temp_slice_duration: 61 },
  ]
  expect(
    await collectFailures(rows, JSON.stringify, async (change) => {
      const { status, body } = await portal.call(ALICE, 'PATCH', path(coldBox, '?action=ui'), { ...PARAMS, ...change })
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', Object.keys(change)])
    }),
  ).toEqual([])
})

test('support reads the parameters but cannot change them', async () => {
  await using portal = await startPortal()
  expect((await portal.call('support@example.com', 'GET', path(coldBox))).status).toBe(200)
  expect((await portal.call('support@example.com', 'PATCH', path(coldBox, '?action=ui'), PARAMS)).status).toBe(403)
})
