import { expect, test } from 'vitest'
import type { Device } from '#contracts/trackers/devices.ts'
import type { TrackerOwner } from '#contracts/trackers/owners.ts'
import { hiddenDevices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const [ALICE, DARIO, MEMBER, SUPPORT] = ['alice@example.com', 'dario@example.com', 'member@pro.example.com', 'support@example.com']
const LIST = '/devices/?type=tracker'
const ids = SEED.devices

test('R-4.21 trackers are listed with inactive ones first, then by end of subscription, those without an end last', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', LIST)
  expect(status).toBe(200)
  expect(body.map((device: Device) => device.id)).toEqual([8, 7, 9, 18, 2, 14, 16, 5, 12, 13, 3, 11, 1, 4, 17, 10, 6, 15])
})

test('R-7.3 the list is empty for another device type or an account without trackers, and needs a session', async () => {
  await using portal = await startPortal()
  expect(await portal.call(ALICE, 'GET', '/devices/?type=lamp')).toMatchObject({ status: 200, body: [] })
  expect(await portal.call(DARIO, 'GET', LIST)).toMatchObject({ status: 200, body: [] })
  expect((await portal.call(null, 'GET', LIST)).status).toBe(401)
})

test('R-1.28 a pro member sees their assigned trackers and the administrator all', async () => {
  await using portal = await startPortal()
  expect((await portal.call(MEMBER, 'GET', LIST)).body).toHaveLength(2)
  expect((await portal.call('admin@pro.example.com', 'GET', LIST)).body).toHaveLength(6)
})

test('support reads the trackers of all accounts and changes none', async () => {
  await using portal = await startPortal()
  expect((await portal.call(SUPPORT, 'GET', LIST)).body.length).toBeGreaterThanOrEqual(27)
  expect((await portal.call(SUPPORT, 'GET', `/devices/${ids.rex}/`)).status).toBe(200)
  for (const [method, path, body] of [
    ['PATCH', 'tracker_config/', { mode: 21 }],
    ['POST', 'activate/', {}],
    ['POST', 'realtime_boost/', { duration_minutes: 5 }],
    ['DELETE', 'realtime_boost/', undefined],
  ] as const)
    expect(await portal.call(SUPPORT, method, `/devices/${ids.rex}/${path}`, body)).toMatchObject({ status: 403 })
})

test('R-6.9 a tracker of another account is not found by any endpoint', async () => {
  await using portal = await startPortal()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', 'tracker_config/', undefined],
    ['PATCH', 'tracker_config/', { mode: 1 }],
    ['GET', 'tracker_status/', undefined],
    ['POST', 'activate/', {}],
    ['POST', 'realtime_boost/', { duration_minutes: 5 }],
    ['DELETE', 'realtime_boost/', undefined],
  ] as const)
    expect(await portal.call(DARIO, method, `/devices/${ids.rex}/${path}`, body)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  expect((await portal.call(MEMBER, 'GET', `/devices/${ids.rex}/`)).status).toBe(404)
})

test('an unchanged list gets 304 and a changed one 200', async () => {
  await using portal = await startPortal()
  const { headers, body } = await portal.call(ALICE, 'GET', LIST)
  const again = { 'if-none-match': String(headers.etag) }
  expect(headers.etag).toMatch(/^W\/"[\w-]+"$/)
  expect((await portal.call(ALICE, 'GET', LIST, undefined, again)).status).toBe(304)
  const { identifier } = body.find((device: Device) => device.id === ids.rex)
  const message = { identifier, battery: 50, positions: [] }
  expect((await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': 'demo-device-key' })).status).toBe(201)
  const changed = await portal.call(ALICE, 'GET', LIST, undefined, again)
  expect(changed.status).toBe(200)
  expect(changed.body.find((device: Device) => device.id === ids.rex).tracker_status.battery).toBe(50)
})

test('a single tracker looks the same as in the list', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) =>
    tx.insert(hiddenDevices).values({ userId: 1, deviceId: ids.misty }).onConflictDoNothing(),
  )
  for (const device of (await portal.call(ALICE, 'GET', LIST)).body) {
    const { body } = await portal.call(ALICE, 'GET', `/devices/${device.id}/`)
    expect(body).toEqual(device)
    expect((await portal.call(ALICE, 'GET', `/devices/${device.id}/tracker_config/`)).body).toEqual(device.tracker_config)
    expect((await portal.call(ALICE, 'GET', `/devices/${device.id}/tracker_status`)).body).toEqual(device.tracker_status)
  }
})

test('R-3.1 the seeded trackers show their various states', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(ALICE, 'GET', LIST)
  const by = (id: number): Device => body.find((device: Device) => device.id === id)
  expect(by(ids.rex)).toMatchObject({ tag: { name: 'Pets' }, kind: 'dog', active_collar_since: expect.any(String), is_public: true })
  expect(by(ids.rex).tracker_config).toMatchObject({
    usage: 'dog',
    frequency_moving: { min: 60, max: 60 },
    frequency_stationary: { min: 240, max: 240 },
  })
  expect(by(ids.familyCar)).toMatchObject({ active_collar_since: null, tracker_status: { battery: 3650 } })
  expect(by(ids.cessna).tracker_config).toMatchObject({ usage: 'other', frequency_moving: null })
  expect(by(ids.coldBox).tracker_config).toMatchObject({ mode: 50, frequency_moving: { min: 60 }, frequency_stationary: { min: 1440 } })
  expect(by(ids.deliveryVan).tracker_config).toMatchObject({ pending_mode: 7, mode_state: 'sending' })
  expect(by(ids.oldTracker)).toMatchObject({ tracker_config: { network_state: 'deactivated' }, tracker_status: { sub_state: 'ended' } })
  expect(by(ids.newTracker)).toMatchObject({ tracker_status: { last_position: null, last_address: null, sub_state: 'not_activated' } })
  expect(by(ids.hiker).visible).toBe(false)
  expect(by(ids.trailer)).toMatchObject({ operator: 'helium', price: { months: 36 } })
  expect(by(ids.kitchen)).toMatchObject({ price: null, is_public: false, tracker_status: { sub_state: 'none', sub_end_date: null } })
  for (const device of body) expect(device.online_since).toBe(device.tracker_status.online_since)
})

test("support sees who owns which trackers, by the e-mail address of the owner or of a team's administrator", async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(SUPPORT, 'GET', '/devices/owners/')
  expect(status).toBe(200)
  const owners = body as TrackerOwner[]
  const emails = owners.map(({ email }) => email)
  expect(emails).toEqual([...emails].sort())
  expect(owners.find(({ email }) => email === ALICE)).toMatchObject({
    name: 'Alice Almeida',
    trackers: expect.arrayContaining([ids.rex, ids.stolenScooter]),
  })
  expect(owners.find(({ email }) => email === 'admin@pro.example.com')?.trackers).toHaveLength(6)
  expect(emails).not.toContain(MEMBER)
  const all = (await portal.call(SUPPORT, 'GET', LIST)).body.map((device: Device) => device.id)
  expect(owners.flatMap(({ trackers }) => trackers).sort()).toEqual(all.sort())
  for (const email of [ALICE, MEMBER]) expect((await portal.call(email, 'GET', '/devices/owners/')).status).toBe(403)
})
