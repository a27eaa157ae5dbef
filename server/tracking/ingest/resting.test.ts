import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { alertDevices, alerts, places } from '#db/schema/places.ts'
import type { DeviceRow } from '#db/scope.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { createTestWorld, fix, HOME, NOW } from '#server/tracking/test-world.ts'
import { ingest } from './ingest.ts'

type Portal = Awaited<ReturnType<typeof createTestWorld>>

/** Minutes after `NOW`, at which the subscription ends, until the tracker rests. */
const REST = 14 * 24 * 60

const status = async ({ device, world }: Portal) => presentStatus(await device(), world.clock.now())
/** Metres north of home. */
const shownMetres = async (portal: Portal) => Math.round(((await status(portal)).last_position!.lat - HOME.lat) * 111_195)

const change = ({ world }: Portal, values: Partial<DeviceRow>) =>
  world.db.write('everything', (tx) => tx.update(devices).set(values).where(eq(devices.id, 1)))
const renew = (portal: Portal) =>
  change(portal, { subState: 'active', subEndDate: new Date(portal.world.clock.now().getTime() + 30 * DAY_MS) })

/** A tracker that has sent a position in service, and one in grace. */
async function createEndedTracker() {
  const portal = await createTestWorld({ subEndDate: NOW, lowBattery: 20 })
  await portal.say(0, 0, { battery: 50 })
  await portal.say(500, 60)
  portal.heard.length = 0
  return portal
}

describe('a resting tracker', () => {
  test('shows its newest position until the rest begins, and later ones not', async () => {
    using portal = await createEndedTracker()
    await portal.say(700, REST - 1)
    expect(await shownMetres(portal)).toBe(700)
    expect(await portal.say(1000, REST, { battery: 40 })).toEqual({ accepted: 1, ignored: 0 })
    expect(await shownMetres(portal)).toBe(700)
    await portal.say(2000, REST + 5)
    expect(await shownMetres(portal)).toBe(700)
    expect(await status(portal)).toMatchObject({ sub_state: 'ended', battery: 50 })
  })

  test('shows everything at once when it is renewed: position, battery and stationary time', async () => {
    using portal = await createEndedTracker()
    await portal.say(1000, REST + 1, { battery: 40 })
    for (let minute = 10; minute <= 60; minute += 10) await portal.say(3000, REST + minute)
    expect(await status(portal)).toMatchObject({ battery: 50 })
    await renew(portal)
    expect(await shownMetres(portal)).toBe(3000)
    const since = formatInstant(new Date(NOW.getTime() + (REST + 10) * MINUTE_MS))
    expect(await status(portal)).toMatchObject({ battery: 40, stationary_since: since })
  })

  test('publishes no live event', async () => {
    using portal = await createEndedTracker()
    await portal.say(5000, REST + 1)
    expect(portal.heard).toEqual([])
    await renew(portal)
    await portal.say(6000, REST + 2)
    expect(portal.heard.map(({ type }) => type)).toEqual(['position'])
  })

  test('mails no low battery, neither while it rests nor after it is renewed', async () => {
    using portal = await createEndedTracker()
    await portal.say(500, REST + 1, { battery: 5 })
    await renew(portal)
    await portal.say(500, REST + 2, { battery: 5 })
    expect(await portal.world.db.read.select().from(emails)).toEqual([])
    expect(await status(portal)).toMatchObject({ battery: 5 })
  })

  test('fires no alert about what happened while it rested, and again one about what happens after it is renewed', async () => {
    using portal = await createTestWorld({ subEndDate: NOW })
    await portal.world.db.write('everything', async (tx) => {
      const [lat, lng] = [toFixed7(HOME.lat), toFixed7(HOME.lng)]
      await tx.insert(places).values({ id: 1, accountId: 1, name: 'Home', address: 'Street 1', type: 'home', radius: 200, lat, lng })
      await tx.insert(alerts).values({ id: 1, accountId: 1, placeId: 1, trigger: 'leave' })
      await tx.insert(alertDevices).values({ alertId: 1, deviceId: 1 })
    })
    const countAlerts = () => portal.heard.filter(({ type }) => type === 'alert').length
    for (const minute of [0, 10, 20]) await portal.say(0, minute)
    for (const minute of [10, 20, 30]) await portal.say(5000, REST + minute)
    await renew(portal)
    await portal.say(5000, REST + 40)
    expect(countAlerts()).toBe(0)
    for (const minute of [50, 60, 70]) await portal.say(0, REST + minute)
    for (const minute of [80, 90, 100]) await portal.say(5000, REST + minute)
    expect(countAlerts()).toBe(1)
  })

  test('shows what it reported after a renewal that has ended too, until its next rest', async () => {
    using portal = await createEndedTracker()
    await portal.say(1000, REST + 1)
    await change(portal, { subState: 'ended', subEndDate: new Date(NOW.getTime() + (REST + 60) * MINUTE_MS) })
    portal.at(REST + 120)
    expect(await shownMetres(portal)).toBe(1000)
    portal.at(2 * REST + 61)
    expect(await shownMetres(portal)).toBe(1000)
    await portal.say(2000, 2 * REST + 62)
    expect(await shownMetres(portal)).toBe(1000)
  })

  test('rests only after the days of grace of its world', async () => {
    using portal = await createEndedTracker()
    await ingest({ ...portal.world, graceDays: null }, { identifier: '1000000001', positions: [fix(500, 61)] })
    portal.at(100 * REST)
    await ingest({ ...portal.world, graceDays: null }, { identifier: '1000000001', positions: [fix(900, 100 * REST)] })
    expect(await shownMetres(portal)).toBe(900)
  })

  test('rests after the days of grace from the day it was added, if it was never activated', async () => {
    using portal = await createTestWorld({ subState: 'not_activated' })
    await portal.say(0, REST - 1)
    await portal.say(800, REST + 1)
    expect(await shownMetres(portal)).toBe(0)
    await renew(portal)
    expect(await shownMetres(portal)).toBe(800)
  })
})
