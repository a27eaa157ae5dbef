import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { devices } from '#db/schema/devices.ts'
import { alerts } from '#db/schema/places.ts'
import { loadWatches } from '#server/alerts/tracker-alerts.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { findKnownWatches } from './known-watches.ts'

const ALICE = 'alice@example.com'
const { rex, misty } = SEED.devices
const ALERT = `/tracker_alerts/${SEED.alerts.leaveHome}/`
const PLACE = `/tracker_places/${SEED.places.home}/`

/** A portal in which Rex has just reported, so that its watches are known. */
async function open() {
  const portal = await startPortal()
  const { db, clock } = portal.world
  const home = (await portal.call(ALICE, 'GET', PLACE)).body
  const { identifier } = (await portal.call(ALICE, 'GET', `/devices/${rex}/`)).body
  /** Half an hour later Rex is so many degrees north of home. */
  async function report(degrees: number) {
    clock.set({ at: new Date(clock.now().getTime() + 30 * MINUTE_MS) })
    const position = { lat: home.lat + degrees, lng: home.lng, precision: 10, datetime: clock.now().toISOString() }
    const body = { identifier, positions: [position] }
    expect((await portal.call(null, 'POST', '/devices/ingest/', body, { 'x-device-key': DEVICE_KEY })).status).toBe(201)
  }
  await report(0)
  await report(0.0001)
  return {
    portal,
    report,
    known: () => findKnownWatches(db, rex),
    built: () =>
      db.write('everything', async (tx) => {
        const [device] = await tx.select().from(devices).where(eq(devices.id, rex))
        return loadWatches(tx, device!)
      }),
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}

test('after a message the watches of its tracker are known, and they are those of the saved rows', async () => {
  await using page = await open()
  expect(page.known()?.length).toBeGreaterThan(0)
  expect(page.known()).toEqual(await page.built())
  await page.report(0.02)
  await page.report(0.0201)
  expect(page.known()).toEqual(await page.built())
})

test.each([
  ['an alert gets another trigger', 'PATCH', ALERT, { trigger: 'enter' }],
  ['an alert gets a schedule', 'PATCH', ALERT, { schedule: { days: [1], from: '08:00', to: '12:00' } }],
  ['an alert gets a pause', 'PATCH', ALERT, { pause: 30 }],
  ['an alert loses the tracker', 'PATCH', ALERT, { devices: [misty] }],
  ['an alert is deleted', 'DELETE', ALERT, undefined],
  ['an alert is added', 'POST', '/tracker_alerts/', { devices: [rex], contacts: [SEED.contacts.carol], rule: { kind: 'silent' } }],
  ['its place gets another radius', 'PATCH', PLACE, { radius: 300 }],
  ['its place is deleted', 'DELETE', PLACE, undefined],
  ['the owner changes the time zone', 'PATCH', '/users/settings/', { time_zone: 'Asia/Tokyo' }],
] as const)('the watches are built again after %s', async (_, method, path, body) => {
  await using page = await open()
  const { status } = await page.portal.call(ALICE, method, path, body)
  expect(status).toBeLessThan(300)
  expect(page.known()).toBeUndefined()
  await page.report(0.0002)
  expect(page.known()).toEqual(await page.built())
})

test('watches that a failed transaction has changed stay known as they were', async () => {
  await using page = await open()
  const before = page.known()
  const failing = page.portal.world.db.write('everything', async (tx) => {
    await tx.delete(alerts)
    expect(page.known()).toBeUndefined()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(page.known()).toBe(before)
})
