import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Shape } from '#contracts/rules/geo/shape.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'
import { alertContacts, alertDevices, alerts, contacts, places } from '#db/schema/places.ts'
import { toColumns } from '#server/places/borders.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTestWorld, fix, HOME, NOW } from '#server/tracking/test-world.ts'

type AlertSpec = { id: number; trigger?: 'enter' | 'leave'; contacts?: number[] }

/** Creates a place of 200 m around home, the contacts Bob (1) and Carol (2), and alerts of tracker 1. */
async function withAlerts(specs: AlertSpec[], device: Parameters<typeof createTestWorld>[0] = {}) {
  const portal = await createTestWorld(device)
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    const place = { accountId: 1, name: 'Home', address: 'Street 1', type: 'home' as const, radius: 200 }
    await tx.insert(places).values({ id: 1, ...place, lat: toFixed7(HOME.lat), lng: toFixed7(HOME.lng) })
    await tx.insert(contacts).values([
      { id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' },
      { id: 2, accountId: 1, name: 'Carol', email: 'carol@example.org' },
    ])
  })
  const add = ({ id, trigger, contacts: recipients = [1] }: AlertSpec) =>
    db.write('everything', async (tx) => {
      const what = trigger ? { placeId: 1, trigger } : { isVehicleAlert: true }
      await tx.insert(alerts).values({ id, accountId: 1, ...what })
      await tx.insert(alertDevices).values({ alertId: id, deviceId: 1 })
      for (const contactId of recipients) await tx.insert(alertContacts).values({ alertId: id, contactId })
    })
  for (const spec of specs) await add(spec)
  const mails = async () =>
    (await db.read.select().from(emails).orderBy(emails.id)).map(({ to, template, language }) => `${to} ${template} ${language}`)
  const alarms = () => portal.heard.filter(({ type }) => type === 'alert').map(({ data }) => JSON.parse(data))
  return { ...portal, add, mails, alarms, [Symbol.dispose]: portal[Symbol.dispose] }
}

test("R-1.11 entering a place sends each contact of the alert one mail, in the owner's language", async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter', contacts: [1, 2] }])
  await portal.say(1000, 0)
  await portal.say(0, 10)
  await portal.say(20, 15)
  expect(await portal.mails()).toEqual(['bob@example.org place_alert fr', 'carol@example.org place_alert fr'])
  expect(portal.alarms()).toEqual([
    { device: 1, firing: 1, type: 'place_enter', place: { id: 1, name: 'Home' }, datetime: fix(0, 10).datetime },
  ])
  expect(await portal.device()).toMatchObject({ lastEvent: 'place_enter', lastEventAt: new Date(fix(0, 10).datetime) })
})

test('R-3.37 an alert for leaving sends nothing on entering', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'leave' }])
  await portal.say(1000, 0)
  await portal.say(0, 10)
  expect(await portal.mails()).toEqual([])
  await portal.say(1000, 20)
  expect(await portal.mails()).toEqual(['bob@example.org place_alert fr'])
  expect((await portal.device()).lastEvent).toBe('place_leave')
})

test('leaving an area fires where its edge is', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'leave' }])
  const { lat, lng } = HOME
  const north = (meters: number) => lat + meters / 111_195
  const shape: Shape = {
    type: 'polygon',
    points: [
      [north(-50), lng - 0.01],
      [north(-50), lng + 0.01],
      [north(600), lng + 0.01],
      [north(600), lng - 0.01],
    ],
  }
  await portal.world.db.write('everything', (tx) => tx.update(places).set(toColumns(shape)))
  await portal.say(0, 0)
  await portal.say(550, 10)
  expect(await portal.mails()).toEqual([])
  await portal.say(700, 20)
  expect(await portal.mails()).toEqual(['bob@example.org place_alert fr'])
})

test('the first known position of a tracker fires no alert', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(0, 0)
  expect(await portal.mails()).toEqual([])
})

test('a new alert fires on the first crossing from where its tracker was last seen', async () => {
  const rows = [
    ['enter', 1000, 0, 1],
    ['leave', 0, 1000, 1],
    ['enter', 0, 1000, 0],
    ['leave', 0, 10, 0],
  ] as const
  expect(
    await collectFailures(rows, JSON.stringify, async ([trigger, from, to, times]) => {
      using portal = await withAlerts([])
      await portal.say(from, 0)
      await portal.add({ id: 1, trigger })
      await portal.say(to, 10)
      expect(await portal.mails()).toHaveLength(times)
    }),
  ).toEqual([])
})

test('a fix too imprecise for the place does not reset the known side of the border', async () => {
  using portal = await withAlerts([])
  await portal.say(0, 0)
  await portal.add({ id: 1, trigger: 'leave' })
  await portal.say(0, 5, { positions: [fix(100, 5, { precision: 500 })] })
  await portal.say(1000, 10)
  expect(await portal.mails()).toHaveLength(1)
})

test('R-1.11 alerts still fire in the days of grace after the end of a subscription', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }], { subEndDate: new Date(NOW.getTime() - 13 * DAY_MS) })
  for (const [index, metres] of [1000, 0].entries()) await portal.say(metres, index)
  expect(await portal.mails()).toHaveLength(1)
})

test("an alert that is off fires nothing, and when switched on it starts from the tracker's last position", async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  const setOff = (offSince: Date | null) => portal.world.db.write('everything', (tx) => tx.update(alerts).set({ offSince }))
  await portal.say(1000, 0)
  await setOff(NOW)
  await portal.say(0, 10)
  expect([await portal.mails(), portal.alarms()]).toEqual([[], []])
  await portal.say(1000, 20)
  await setOff(null)
  await portal.say(0, 30)
  expect(await portal.mails()).toHaveLength(1)
})

test('each crossing of the border fires the alert once', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  for (const [index, metres] of [1000, 0, 1000, 0, 0].entries()) await portal.say(metres, index * 10)
  expect(await portal.mails()).toHaveLength(2)
})

test('drift around the border of a place fires no alert', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(1000, 0)
  for (const [index, metres] of [195, 204, 196, 205].entries()) await portal.say(metres, index + 1)
  expect(await portal.mails()).toEqual([])
})

test('crossings within one message fire, those of older positions do not', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(0, 30, { positions: [fix(1000, 0), fix(0, 10), fix(1000, 20), fix(0, 30)] })
  expect(await portal.mails()).toHaveLength(2)
  await portal.say(0, 30, { positions: [fix(1000, 5), fix(0, 6)] })
  expect(await portal.mails()).toHaveLength(2)
})

test('R-1.11 a contact of two alerts for the same crossing gets one mail', async () => {
  using portal = await withAlerts([
    { id: 1, trigger: 'enter', contacts: [1] },
    { id: 2, trigger: 'enter', contacts: [1, 2] },
  ])
  await portal.say(1000, 0)
  await portal.say(0, 10)
  expect(await portal.mails()).toHaveLength(2)
  expect(portal.alarms()).toHaveLength(1)
})

test('the vehicle alert fires once when a parked vehicle in any vehicle alert mode starts to move', async () => {
  const rows = [8, 10, 9, 7]
  expect(
    await collectFailures(
      rows,
      (mode) => `mode:${mode}`,
      async (mode) => {
        using portal = await withAlerts([{ id: 1 }], { kind: 'vehicle', mode })
        for (const minutes of [0, 9]) await portal.say(0, minutes)
        await portal.say(600, 12)
        await portal.say(1500, 14)
        expect(await portal.mails()).toEqual(['bob@example.org vehicle_alert fr'])
        expect(portal.alarms().map(({ type, place }) => [type, place])).toEqual([['vehicle_alert', null]])
        expect((await portal.device()).lastEvent).toBe('vehicle_alert')
      },
    ),
  ).toEqual([])
})

test('the vehicle alert does not fire for fixes made before its mode was applied', async () => {
  using portal = await withAlerts([{ id: 1 }], { kind: 'vehicle', mode: 1, pendingMode: 8 })
  await portal.say(0, 0, { positions: [fix(0, -20), fix(0, -10), fix(500, 0)] })
  expect([await portal.mails(), (await portal.device()).mode]).toEqual([[], 8])
})

test('a mode with vehicle alert publishes an alert event even without a saved alert', async () => {
  using portal = await withAlerts([], { kind: 'vehicle', mode: 8 })
  for (const minutes of [0, 9]) await portal.say(0, minutes)
  await portal.say(600, 12)
  expect(portal.alarms()).toHaveLength(1)
  expect(await portal.mails()).toEqual([])
})

test('in a mode without vehicle alert a vehicle that starts to move fires no alert', async () => {
  using portal = await withAlerts([{ id: 1 }], { kind: 'vehicle', mode: 1 })
  for (const minutes of [0, 9]) await portal.say(0, minutes)
  await portal.say(600, 12)
  expect(portal.alarms()).toEqual([])
  expect((await portal.device()).lastEvent).toBe('moving')
})

test('an alert saves on which side of the border its tracker is and when it fired', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(1000, 0)
  await portal.say(0, 10)
  const [stored] = await portal.world.db.read.select().from(alertDevices)
  expect(stored).toMatchObject({ crossing: { inside: true, leaning: null }, firedAt: new Date(fix(0, 10).datetime) })
})

test('a low battery is mailed to the owner in their language', async () => {
  using portal = await withAlerts([], { battery: 16 })
  await portal.say(0, 0, { battery: 14 })
  await portal.say(0, 1, { battery: 13 })
  expect(await portal.mails()).toEqual(['ana@example.com low_battery fr'])
})

test('an alert mails about the same tracker at most once in five minutes, but live events continue', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(1000, 0)
  for (const minute of [10, 12, 14, 16]) await portal.say(minute % 4 === 2 ? 0 : 1000, minute)
  const first = await portal.mails()
  expect(first).toHaveLength(1)
  for (const minute of [20, 25]) await portal.say(minute === 25 ? 0 : 1000, minute)
  expect(await portal.mails()).toHaveLength(2)
})

test('a crossing that is more than an hour old sends no mail', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter' }])
  await portal.say(1000, 0)
  await portal.say(0, 75, { positions: [fix(0, 10)] })
  expect(portal.alarms()).toHaveLength(1)
  expect(await portal.mails()).toEqual([])
})

test('an account without a confirmed address mails its alerts only to itself', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter', contacts: [1, 2] }])
  await portal.world.db.write('everything', async (tx) => {
    await tx.update(users).set({ emailConfirmed: false })
    await tx.update(contacts).set({ email: 'ana@example.com' }).where(eq(contacts.id, 2))
  })
  await portal.say(1000, 0)
  await portal.say(0, 10)
  expect(await portal.mails()).toEqual(['ana@example.com place_alert fr'])
})

test('an account mails at most 500 alerts in 24 hours', async () => {
  using portal = await withAlerts([{ id: 1, trigger: 'enter', contacts: [1, 2] }])
  const sent = { to: 'x@example.org', template: 'place_alert', language: 'en' as const, data: {}, userId: 1, createdAt: NOW }
  await portal.world.db.write('everything', (tx) => tx.insert(emails).values(Array.from({ length: 499 }, () => sent)))
  await portal.say(1000, 0)
  await portal.say(0, 10)
  expect((await portal.mails()).slice(499)).toEqual(['bob@example.org place_alert fr'])
})
