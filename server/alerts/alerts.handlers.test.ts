import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { alertDevices, contacts } from '#db/schema/places.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const MEMBER = 'member@pro.example.com'
const ALERTS = '/tracker_alerts/'
const one = (id: number) => `/tracker_alerts/${id}/`
const { rex, misty, grandpa, cityBike, proVan, proTruck, proDog, victorFree } = SEED.devices
const { bob, carol, dave } = SEED.contacts
const { home, office, proDepot, zoeHome } = SEED.places
const validAlert = { name: 'Cat out', devices: [misty], contacts: [bob], place: home, trigger: 'leave' }
const TEAM_CONTACT = 70

const create = async (portal: Portal, change: object = {}, who = ALICE) =>
  (await portal.call(who, 'POST', ALERTS, { ...validAlert, ...change })).body
const crossings = (portal: Portal, alertId: number) =>
  portal.world.db.read.select().from(alertDevices).where(eq(alertDevices.alertId, alertId)).orderBy(alertDevices.deviceId)

async function withTeamAlert() {
  const portal = await startPortal()
  const { accountId } = getPersona('admin')
  await portal.world.db.write('everything', (tx) =>
    tx.insert(contacts).values({ id: TEAM_CONTACT, accountId, name: 'Gate', email: 'gate@example.org' }),
  )
  const newAlert = { devices: [proVan, proDog], contacts: [TEAM_CONTACT], place: proDepot }
  return { portal, alert: await create(portal, newAlert, ADMIN), newAlert }
}

test('the alerts of an account are listed oldest first, and each looks the same on its own', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', ALERTS)
  const { enterHome, leaveHome, vehicleAlert, leaveCabin } = SEED.alerts
  const border = { place: home, vehicle_alert: false }
  expect([status, body]).toEqual([
    200,
    [
      { id: enterHome, name: 'Back home', devices: [rex, misty], contacts: [bob], trigger: 'enter', ...border },
      { id: leaveHome, name: 'Rex is off', devices: [rex], contacts: [bob, carol], trigger: 'leave', ...border },
      expect.objectContaining({ id: vehicleAlert, place: null, trigger: null, vehicle_alert: true }),
      expect.objectContaining({ id: leaveCabin, off_since: '2026-02-26T09:00:00Z' }),
    ],
  ])
  for (const alert of body) expect(await portal.call(ALICE, 'GET', one(alert.id))).toMatchObject({ status: 200, body: alert })
  expect((await portal.call('dario@example.com', 'GET', ALERTS)).body).toEqual([])
})

test('R-1.10 a created alert appears in the list', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', ALERTS, validAlert)
  expect([status, body]).toEqual([201, { id: expect.any(Number), ...validAlert, vehicle_alert: false }])
  expect((await portal.call(ALICE, 'GET', ALERTS)).body.at(-1)).toEqual(body)
})

test('an alert name is optional, and duplicate ids in a list count once', async () => {
  await using portal = await startPortal()
  const alert = await create(portal, { name: ' ', devices: [misty, rex, misty], contacts: [carol, bob, carol] })
  expect(alert).toMatchObject({ name: null, devices: [rex, misty], contacts: [bob, carol] })
  const { name: _, ...nameless } = validAlert
  expect((await portal.call(ALICE, 'POST', ALERTS, nameless)).body.name).toBeNull()
})

const many = (id: number) => Array.from({ length: 201 }, () => id)

describe.each([
  ['POST', ALERTS],
  ['PATCH', one(SEED.alerts.leaveHome)],
])('saving an alert by %s', (method, path) => {
  test('R-3.34 R-3.35 R-3.36 R-3.37 R-3.38 R-2.64 an invalid alert is refused with an error for its field and changes nothing', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ devices: [] }, 'devices'],
      [{ devices: [rex, victorFree] }, 'devices'],
      [{ devices: [rex, 999_999] }, 'devices'],
      [{ contacts: [] }, 'contacts'],
      [{ contacts: [bob, 4242] }, 'contacts'],
      [{ place: null }, 'place'],
      [{ place: zoeHome }, 'place'],
      [{ trigger: null }, 'trigger'],
      [{ trigger: 'pass' }, 'trigger'],
      [{ vehicle_alert: 'yes' }, 'vehicle_alert'],
      [{ name: 'x'.repeat(81) }, 'name'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change, field]) => {
        const before = (await portal.call(ALICE, 'GET', ALERTS)).body
        const { status, body } = await portal.call(ALICE, method, path, { ...(method === 'POST' && validAlert), ...change })
        expect([status, body.code, Object.keys(body.errors).map((name) => name.split('.')[0])]).toEqual([400, 'validation_error', [field]])
        expect((await portal.call(ALICE, 'GET', ALERTS)).body).toEqual(before)
      }),
    ).toEqual([])
  })

  test.each(['devices', 'contacts'])('an alert with 201 %s is refused, while 200 are accepted', async (field) => {
    await using portal = await startPortal()
    const ask = async (list: number[]) => {
      const { status, body } = await portal.call(ALICE, method, path, { ...(method === 'POST' && validAlert), [field]: list })
      return [status, body.errors && Object.keys(body.errors)]
    }
    expect(await ask(many(1))).toEqual([400, [field]])
    expect((await ask(many(1).slice(1)))[0]).toBe(method === 'POST' ? 201 : 200)
  })

  test('R-3.38 a vehicle alert for a tracker that is not a vehicle is refused', async () => {
    await using portal = await startPortal()
    const body = { devices: [cityBike, grandpa], contacts: [bob], vehicle_alert: true }
    expect(await portal.call(ALICE, method, path, body)).toMatchObject({ status: 400, body: { code: 'vehicle_only' } })
  })
})

test('R-3.34 R-3.35 an empty alert is refused with all its missing fields', async () => {
  await using portal = await startPortal()
  expect(Object.keys((await portal.call(ALICE, 'POST', ALERTS, {})).body.errors)).toEqual(['devices', 'contacts'])
  const { devices, contacts: recipients } = validAlert
  expect(Object.keys((await portal.call(ALICE, 'POST', ALERTS, { devices, contacts: recipients })).body.errors)).toEqual([
    'place',
    'trigger',
  ])
})

test('changing an alert affects only the given fields', async () => {
  await using portal = await startPortal()
  const { id, ...before } = await create(portal)
  expect((await portal.call(ALICE, 'PATCH', one(id), {})).body).toEqual({ id, ...before })
  for (const change of [{ name: null }, { devices: [rex] }, { contacts: [dave, carol] }, { place: office }, { trigger: 'enter' }]) {
    const was = (await portal.call(ALICE, 'GET', one(id))).body
    const { status, body } = await portal.call(ALICE, 'PATCH', one(id), change)
    expect([status, body]).toEqual([200, { ...was, ...change, ...('contacts' in change && { contacts: [carol, dave] }) }])
  }
})

test('a changed alert is validated as a whole', async () => {
  await using portal = await startPortal()
  const path = one(SEED.alerts.vehicleAlert)
  expect(Object.keys((await portal.call(ALICE, 'PATCH', path, { vehicle_alert: false })).body.errors)).toEqual(['place', 'trigger'])
  expect((await portal.call(ALICE, 'PATCH', path, { devices: [rex] })).body.code).toBe('vehicle_only')
  const whole = { vehicle_alert: false, place: home, trigger: 'enter', devices: [rex] }
  expect(await portal.call(ALICE, 'PATCH', path, whole)).toMatchObject({ status: 200, body: whole })
})

test('a changed alert keeps the state of unchanged trackers, and clears it when the place changes', async () => {
  await using portal = await startPortal()
  const { leaveHome } = SEED.alerts
  const inside = { inside: true, leaning: null }
  await portal.call(ALICE, 'PATCH', one(leaveHome), { devices: [rex, misty], name: 'Both' })
  expect((await crossings(portal, leaveHome)).map(({ crossing }) => crossing)).toEqual([inside, null])
  await portal.call(ALICE, 'PATCH', one(leaveHome), { place: office })
  expect((await crossings(portal, leaveHome)).map(({ crossing }) => crossing)).toEqual([null, null])
})

test('a removed alert is no longer found', async () => {
  await using portal = await startPortal()
  const { id } = await create(portal)
  expect(await portal.call(ALICE, 'DELETE', one(id))).toMatchObject({ status: 200, body: { id } })
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await portal.call(ALICE, method, one(id), method === 'PATCH' ? {} : undefined)).status).toBe(404)
  expect(await crossings(portal, id)).toEqual([])
})

test('R-6.9 the alerts of other accounts are not found', async () => {
  await using portal = await startPortal()
  for (const method of ['GET', 'PATCH', 'DELETE'])
    for (const who of ['zoe@example.com', ADMIN, MEMBER])
      expect((await portal.call(who, method, one(SEED.alerts.enterHome), method === 'PATCH' ? { name: 'Mine' } : undefined)).status).toBe(
        404,
      )
  expect((await portal.call(ALICE, 'GET', one(SEED.alerts.enterHome))).body.name).toBe('Back home')
})

test('support reads the alerts of all accounts and changes none', async () => {
  const { portal, alert } = await withTeamAlert()
  await using _ = portal
  const support = 'support@example.com'
  const { enterHome, leaveHome, vehicleAlert, leaveCabin } = SEED.alerts
  const ids = (await portal.call(support, 'GET', ALERTS)).body.map(({ id }: { id: number }) => id)
  expect(ids).toEqual([enterHome, leaveHome, vehicleAlert, leaveCabin, alert.id])
  expect((await portal.call(support, 'GET', one(alert.id))).body).toEqual(alert)
  for (const [method, path] of [
    ['POST', ALERTS],
    ['PATCH', one(alert.id)],
    ['DELETE', one(alert.id)],
  ] as const)
    expect((await portal.call(support, method, path, method === 'DELETE' ? undefined : validAlert)).status).toBe(403)
})

describe('alerts of a pro member', () => {
  test('a member sees alerts that watch one of their trackers, and in them only their trackers', async () => {
    const { portal, alert, newAlert } = await withTeamAlert()
    await using _ = portal
    const hidden = await create(portal, { ...newAlert, devices: [proDog] }, ADMIN)
    expect((await portal.call(MEMBER, 'GET', ALERTS)).body).toEqual([{ ...alert, devices: [proVan] }])
    expect((await portal.call(MEMBER, 'GET', one(hidden.id))).status).toBe(404)
    expect((await portal.call('newcomer@pro.example.com', 'GET', ALERTS)).body).toEqual([])
  })

  test('a member may only name their own trackers in an alert and replaces only those', async () => {
    const { portal, alert, newAlert } = await withTeamAlert()
    await using _ = portal
    const foreign = await portal.call(MEMBER, 'POST', ALERTS, { ...validAlert, ...newAlert })
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([400, ['devices']])
    const { status, body } = await portal.call(MEMBER, 'PATCH', one(alert.id), { devices: [proTruck] })
    expect([status, body.devices]).toEqual([200, [proTruck]])
    expect((await portal.call(ADMIN, 'GET', one(alert.id))).body.devices).toEqual([proTruck, proDog])
  })

  test('a member who removes a shared alert only removes their trackers from it', async () => {
    const { portal, alert, newAlert } = await withTeamAlert()
    await using _ = portal
    expect(await portal.call(MEMBER, 'DELETE', one(alert.id))).toMatchObject({ status: 200, body: { id: alert.id } })
    expect((await portal.call(MEMBER, 'GET', one(alert.id))).status).toBe(404)
    expect((await portal.call(ADMIN, 'GET', one(alert.id))).body).toEqual({ ...alert, devices: [proDog] })
    const own = await create(portal, { ...newAlert, devices: [proVan] }, MEMBER)
    await portal.call(MEMBER, 'DELETE', one(own.id))
    expect((await portal.call(ADMIN, 'GET', one(own.id))).status).toBe(404)
  })

  test("a member cannot make a vehicle alert of an alert that also watches another member's dog", async () => {
    const { portal, alert } = await withTeamAlert()
    await using _ = portal
    expect((await portal.call(MEMBER, 'PATCH', one(alert.id), { vehicle_alert: true })).body.code).toBe('vehicle_only')
  })
})

describe('switching an alert off', () => {
  const switchOf = (id: number) => `/tracker_alerts/${id}/switch/`
  const { leaveHome, vehicleAlert } = SEED.alerts

  test('an alert that is switched off shows since when, stays off, and keeps its other fields when it is changed', async () => {
    await using portal = await startPortal()
    const before = (await portal.call(ALICE, 'GET', one(leaveHome))).body
    const off = { ...before, off_since: '2026-03-02T09:00:00Z' }
    expect(await portal.call(ALICE, 'PUT', switchOf(leaveHome), { on: false })).toMatchObject({ status: 200, body: off })
    portal.world.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    for (const [on, expected] of [
      [false, off],
      [true, before],
      [true, before],
    ] as const) {
      await portal.call(ALICE, 'PUT', switchOf(leaveHome), { on })
      expect((await portal.call(ALICE, 'GET', one(leaveHome))).body).toEqual(expected)
    }
    await portal.call(ALICE, 'PUT', switchOf(leaveHome), { on: false })
    expect((await portal.call(ALICE, 'PATCH', one(leaveHome), { name: 'Still off' })).body).toMatchObject({ off_since: expect.any(String) })
  })

  test('an alert that is switched on again has no memory of where its trackers were', async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PUT', switchOf(leaveHome), { on: false })
    await portal.call(ALICE, 'PUT', switchOf(leaveHome), { on: true })
    expect((await crossings(portal, leaveHome)).map(({ crossing }) => crossing)).toEqual([null])
  })

  test('a vehicle alert that is off withdraws its mode, and requests it again when switched on', async () => {
    await using portal = await startPortal()
    const { id } = await create(portal, { devices: [cityBike], place: null, trigger: null, vehicle_alert: true })
    const upcoming = async () => {
      const { tracker_config: config } = (await portal.call(ALICE, 'GET', `/devices/${cityBike}/`)).body
      return config.pending_mode ?? config.mode
    }
    const guarded = await upcoming()
    await portal.call(ALICE, 'PUT', switchOf(vehicleAlert), { on: false })
    expect(await upcoming()).toBe(guarded)
    await portal.call(ALICE, 'PUT', switchOf(id), { on: false })
    expect(await upcoming()).not.toBe(guarded)
    await portal.call(ALICE, 'PATCH', one(id), { name: 'Off' })
    expect(await upcoming()).not.toBe(guarded)
    await portal.call(ALICE, 'PUT', switchOf(id), { on: true })
    expect(await upcoming()).toBe(guarded)
  })

  test('a vehicle alert whose tracker is no longer a vehicle stays off', async () => {
    await using portal = await startPortal()
    const { id } = await create(portal, { devices: [cityBike], place: null, trigger: null, vehicle_alert: true })
    await portal.call(ALICE, 'PUT', switchOf(id), { on: false })
    expect((await portal.call(ALICE, 'PATCH', `/devices/${cityBike}/`, { kind: 'dog' })).status).toBe(200)
    expect(await portal.call(ALICE, 'PUT', switchOf(id), { on: true })).toMatchObject({ status: 400, body: { code: 'vehicle_only' } })
    expect((await portal.call(ALICE, 'GET', one(id))).body).toHaveProperty('off_since')
  })

  test('R-6.9 the alert of another account cannot be switched', async () => {
    await using portal = await startPortal()
    for (const [who, status] of [
      ['zoe@example.com', 404],
      ['support@example.com', 403],
    ] as const)
      expect((await portal.call(who, 'PUT', switchOf(leaveHome), { on: false })).status).toBe(status)
  })
})
