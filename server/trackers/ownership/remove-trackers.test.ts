import { expect, test } from 'vitest'
import { computeService } from '#contracts/rules/service.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { alertDevices, alerts } from '#db/schema/places.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { findOrphans, listColumns, queryRows } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ADMIN, MEMBER] = ['alice@example.com', 'admin@pro.example.com', 'member@pro.example.com']
const { rex, misty, cityBike, familyCar, stolenScooter, puppy, newTracker, runawayCat, proVan, proDog } = SEED.devices
const remove = (portal: Portal, id: number, email = ALICE) => portal.call(email, 'DELETE', `/devices/${id}/`)

async function leftovers({ world: { db } }: Portal, id: number) {
  const tables = (await listColumns(db)).flatMap(({ table, column }) => (column === 'device_id' ? [table] : []))
  const found = tables.map((table) => queryRows(db, `select 1 from "${table}" where device_id = ${id} limit 1`))
  const rows = await Promise.all(found)
  return tables.filter((_, index) => rows[index]!.length > 0)
}

test('R-1.4 a removed tracker is gone from the list, its links and every table', async () => {
  await using portal = await startPortal()
  expect(await leftovers(portal, cityBike)).toEqual(expect.arrayContaining(['positions', 'public_links', 'subscriptions', 'alert_devices']))
  expect(await remove(portal, cityBike)).toMatchObject({ status: 200, body: { id: cityBike } })
  expect(await leftovers(portal, cityBike)).toEqual([])
  expect(findOrphans(portal.world.db)).toEqual([])
  expect((await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body).toHaveLength(17)
  expect((await portal.call(ALICE, 'GET', `/devices/${cityBike}/`)).status).toBe(404)
  expect((await portal.call(null, 'GET', `/tracker_public_share_links/${LINKS.permanent}/`)).status).toBe(404)
  expect((await remove(portal, cityBike)).status).toBe(404)
})

test('removing a tracker leaves no row that refers to it', async () => {
  await using portal = await startPortal()
  const rows = [stolenScooter, runawayCat, misty, puppy, newTracker]
  expect(
    await collectFailures(
      rows,
      (id) => `tracker:${id}`,
      async (id) => {
        await portal.call(ALICE, 'PATCH', `/devices/${id}/`, { visible: false })
        expect((await remove(portal, id)).status).toBe(200)
        expect(await leftovers(portal, id)).toEqual([])
      },
    ),
  ).toEqual([])
})

test('removing the last tracker of an alert removes the alert, and other alerts stay', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', async (tx) => {
    const [alert] = await tx
      .insert(alerts)
      .values({ accountId: 1, name: 'Only Misty', placeId: SEED.places.home, trigger: 'leave' })
      .returning()
    await tx.insert(alertDevices).values({ alertId: alert!.id, deviceId: misty })
  })
  await remove(portal, misty)
  const left = await portal.world.db.read.select({ id: alerts.id }).from(alerts).orderBy(alerts.id)
  expect(left.map(({ id }) => id)).toEqual([SEED.alerts.enterHome, SEED.alerts.leaveHome, SEED.alerts.vehicleAlert, SEED.alerts.leaveCabin])
})

test('the identifier of a removed tracker can be added to another account', async () => {
  await using portal = await startPortal()
  const again = { identifier: '10000000-11', name: 'Found', kind: 'vehicle' }
  expect((await portal.call('dario@example.com', 'POST', '/devices/trackers/', again)).status).toBe(409)
  await remove(portal, stolenScooter)
  const { status, body } = await portal.call('dario@example.com', 'POST', '/devices/trackers/', again)
  expect(status).toBe(201)
  expect(body).toMatchObject({ type: 'tracker_02', serial: 'ALICE0000011', tracker_status: { last_position: null } })
  expect(await portal.call('dario@example.com', 'GET', `/devices/${body.id}/theft_report/`)).toMatchObject({
    status: 404,
    body: { code: 'no_report' },
  })
})

test('a tracker that its account removes and adds again keeps its days of grace, and another account has its own', async () => {
  await using portal = await startPortal()
  const cage = { identifier: '12345678-90', name: 'Cage', kind: 'other', type: 'tracker_01' }
  const add = async (email: string) => (await portal.call(email, 'POST', '/devices/trackers/', cage)).body
  const later = (days: number) => portal.clock.set({ at: new Date(portal.clock.now().getTime() + days * DAY_MS) })
  const service = ({ tracker_status, ...tracker }: Device) =>
    computeService({ ...tracker, ...tracker_status, added_at: tracker.added_at ?? null }, portal.clock.now(), 14).state
  const { id, added_at } = await add(ALICE)
  later(10)
  await remove(portal, id)
  const again = await add(ALICE)
  expect(again).toMatchObject({ grace_from: added_at, added_at: formatInstant(portal.clock.now()) })
  expect(service(again)).toBe('grace')
  later(5)
  expect(service(again)).toBe('resting')
  await remove(portal, again.id)
  expect(await add('dario@example.com')).not.toHaveProperty('grace_from')
})

test('a removed tracker that was never in stock can be added again', async () => {
  await using portal = await startPortal()
  const unknown = { identifier: '12345678-90', name: 'Unlabelled', kind: 'other', type: 'tracker_01' }
  const { body } = await portal.call(ALICE, 'POST', '/devices/trackers/', unknown)
  await remove(portal, body.id)
  expect((await portal.call(ALICE, 'POST', '/devices/trackers/', unknown)).status).toBe(201)
})

test('a tracker with a recurring subscription cannot be removed before it ends', async () => {
  await using portal = await startPortal()
  for (const id of [rex, familyCar]) expect(await remove(portal, id)).toMatchObject({ status: 409, body: { code: 'recurring_active' } })
  portal.clock.set({ at: new Date('2027-03-02T09:00:00Z') })
  expect((await remove(portal, rex)).status).toBe(200)
})

test('of two simultaneous removals only one succeeds', async () => {
  await using portal = await startPortal()
  const responses = await Promise.all([remove(portal, misty), remove(portal, misty)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('R-6.9 only the owner or the pro administrator can remove a tracker', async () => {
  await using portal = await startPortal()
  expect((await remove(portal, misty, 'dario@example.com')).status).toBe(404)
  expect((await remove(portal, misty, 'support@example.com')).status).toBe(403)
  expect((await remove(portal, proVan, MEMBER)).status).toBe(403)
  expect((await remove(portal, proVan, ADMIN)).status).toBe(200)
  expect((await portal.call(MEMBER, 'GET', '/devices/?type=tracker')).body).toHaveLength(1)
  expect((await portal.call(ADMIN, 'GET', `/devices/${proDog}/`)).status).toBe(200)
})

test('ids of removed trackers are never reused, so that purchases cannot move to another tracker', async () => {
  await using portal = await startPortal()
  const add = () => portal.call(ALICE, 'POST', '/devices/trackers/', { identifier: '90000000-01', name: 'Newest', kind: 'bike' })
  const first = (await add()).body.id
  await remove(portal, first)
  expect((await add()).body.id).toBe(first + 1)
})
