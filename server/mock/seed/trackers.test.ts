import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { currentNetworkState } from '#contracts/rules/tracking/reporting.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import { fromFixed7 } from '#db/positions.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED, type SeedDevice } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { ANCHOR, at, openSeeded } from './testing.ts'

const db = await openSeeded()
const all = await db.read.select().from(devices)
const alice = all.filter(({ accountId }) => accountId === getPersona('alice').accountId)
const tracker = (name: SeedDevice) => all.find(({ id }) => id === SEED.devices[name])!
const HOUR = 3600

test('every tracker of alice is stored with the expected columns', async () => {
  const rows = [
    [
      'rex',
      {
        name: 'Rex',
        type: 'tracker_06',
        boardName: 'SDC1-A',
        kind: 'dog',
        mode: 21,
        battery: 85,
        operator: 'lora',
        subEndDate: at({ days: 200 }),
        activeCollarSince: at({ days: -40 }),
        stationarySince: null,
        tagId: SEED.tags.pets,
      },
    ],
    [
      'misty',
      {
        name: 'Misty',
        type: 'tracker_04',
        kind: 'cat',
        mode: 23,
        battery: 40,
        subEndDate: at({ days: 12 }),
        stationarySince: at({ minutes: -8 }),
      },
    ],
    [
      'cityBike',
      {
        name: 'City bike',
        type: 'tracker_01',
        kind: 'bike',
        mode: 8,
        battery: 62,
        subEndDate: at({ days: 90 }),
        stationarySince: at({ minutes: -100 }),
      },
    ],
    [
      'familyCar',
      {
        name: 'Family car',
        type: 'tracker_02',
        kind: 'vehicle',
        mode: 10,
        battery: 3650,
        subEndDate: at({ days: 300 }),
        stationarySince: at({ minutes: -101 }),
      },
    ],
    [
      'cessna',
      {
        name: 'Cessna',
        type: 'tracker_03',
        kind: 'plane',
        mode: 4,
        battery: 77,
        subEndDate: at({ days: 45 }),
        stationarySince: at({ minutes: -240 }),
      },
    ],
    [
      'grandpa',
      {
        name: 'Grandpa',
        type: 'tracker_04',
        kind: 'person',
        mode: 1,
        battery: -1,
        subState: 'active',
        subEndDate: null,
        stationarySince: at({ minutes: -7 }),
      },
    ],
    [
      'newTracker',
      {
        name: 'New tracker',
        type: 'tracker_01',
        kind: 'other',
        battery: 100,
        subState: 'not_activated',
        subEndDate: null,
        lat: null,
        positionAt: null,
        lastEvent: null,
      },
    ],
    ['spareTracker', { name: 'Spare tracker', type: 'tracker_03', subState: 'not_activated', subEndDate: at({ days: 700 }) }],
    [
      'oldTracker',
      {
        name: 'Old tracker',
        battery: 3,
        subState: 'ended',
        subEndDate: at({ days: -30 }),
        lastMessageAt: at({ days: -120 }),
        networkState: 'deactivated',
      },
    ],
    ['coldBox', { name: 'Cold box', type: 'tracker_04', boardName: 'SCT2-01', mode: 50, battery: 91, subEndDate: at({ days: 400 }) }],
    [
      'stolenScooter',
      { name: 'Stolen scooter', type: 'tracker_02', mode: 7, battery: 3410, tagId: SEED.tags.stolen, subEndDate: at({ days: 150 }) },
    ],
    ['runawayCat', { name: 'Runaway cat', kind: 'cat', mode: 27, battery: 55, subEndDate: at({ days: 60 }) }],
    ['deliveryVan', { name: 'Delivery van', type: 'tracker_03', mode: 9, pendingMode: 7, battery: 70, subEndDate: at({ days: 80 }) }],
    ['companyVan', { name: 'Company van', type: 'tracker_02', mode: 2, battery: 3900, isLinkedToPro: true, subEndDate: at({ days: 20 }) }],
    ['kitchen', { name: 'Kitchen', type: 'triby', battery: 50, subState: 'none', subEndDate: null }],
    [
      'hiker',
      { name: 'Hiker', type: 'tracker_03', boardName: 'LWT2-07', kind: 'person', mode: 2, battery: 66, subEndDate: at({ days: 33 }) },
    ],
    ['trailer', { name: 'Trailer', type: 'tracker_02', mode: 3, battery: 3300, operator: 'helium', subEndDate: at({ days: 365 }) }],
    [
      'puppy',
      {
        name: 'Puppy',
        type: 'tracker_06',
        mode: 22,
        battery: 30,
        subState: 'ended',
        subEndDate: at({ days: -1 }),
        lastEvent: 'low_battery',
      },
    ],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([name, expected]) => expect(tracker(name)).toMatchObject(expected),
    ),
  ).toEqual([])
})

test('identifiers and serial numbers follow the printed scheme', () => {
  for (const { id, identifier, serial } of alice) {
    const number = String(id).padStart(2, '0')
    expect([identifier, serial]).toEqual([`10000000${number}`, `ALICE00000${number}`])
  }
  for (const { identifier, serial } of all) {
    expect(normalizeIdentifier(identifier ?? '')).toBe(identifier)
    expect(normalizeSerial(serial ?? '')).toBe(serial)
  }
})

test("R-4.21 alice's trackers sort into the expected order", () => {
  const listed = alice
    .map((row) => ({ ...row, tracker_status: { sub_state: row.subState, sub_end_date: row.subEndDate } }))
    .sort(compareDevices)
  expect(listed.map(({ id }) => id)).toEqual([8, 7, 9, 18, 2, 14, 16, 5, 12, 13, 3, 11, 1, 4, 17, 10, 6, 15])
})

test('R-4.6 R-4.7 R-4.8 the motion state counts from the last stop', async () => {
  const rows = [
    ['R-4.6 grandpa', 'grandpa', { state: 'moving' }],
    ['R-4.6 rex', 'rex', { state: 'moving' }],
    ['R-4.7 misty', 'misty', { state: 'stationary', unit: 'minutes', n: 8 }],
    ['R-4.7 the bike', 'cityBike', { state: 'stationary', unit: 'minutes', n: 100 }],
    ['R-4.8 the car', 'familyCar', { state: 'stationary', unit: 'hours', n: 2 }],
    ['R-4.8 the plane', 'cessna', { state: 'stationary', unit: 'hours', n: 4 }],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([_, name, motion]) => expect(computeMotion(tracker(name).stationarySince, ANCHOR)).toEqual(motion),
    ),
  ).toEqual([])
})

test('stored subscription and network states agree with the rules', () => {
  for (const { subState, subEndDate, lastMessageAt, networkState } of all) {
    expect(currentSubState(subState, subEndDate, ANCHOR)).toBe(subState)
    expect(currentNetworkState(lastMessageAt, networkState, ANCHOR)).toBe(networkState)
  }
})

test("R-9.20 the trailer's subscription is on the retired three-year plan", async () => {
  const [subscription] = await db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, SEED.devices.trailer))
  expect(subscription).toMatchObject({ priceId: 'eur-36m', months: 36 })
})

test('the pro trackers include helium, plane mode and an ended subscription, and the member sees two of the six', () => {
  const fleet = all.filter(({ identifier }) => identifier?.startsWith('20000000'))
  expect(fleet).toHaveLength(6)
  expect(fleet.map(({ operator }) => operator)).toContain('helium')
  expect(fleet.map(({ mode }) => mode)).toContain(4)
  expect(fleet.map(({ subState }) => subState)).toContain('ended')
  expect(db.raw.prepare('select count(*) from team_devices where user_id = ?').pluck().get(getPersona('member').id)).toBe(2)
})

test('the New tracker has no history, Puppy none in the last day, and trackers 1 to 6 thirty days without a gap of more than an hour', () => {
  const timesOf = (id: number) => db.raw.prepare('select time from positions where device_id = ? order by time').pluck().all(id) as number[]
  const anchor = ANCHOR.getTime() / 1000
  expect(timesOf(SEED.devices.newTracker)).toEqual([])
  expect(timesOf(SEED.devices.puppy).at(-1)).toBeLessThan(anchor - 24 * HOUR)
  for (let id = 1; id <= 6; id++) {
    const times = timesOf(id).filter((time) => time > anchor - 30 * 24 * HOUR)
    expect(times[0]).toBeLessThan(anchor - 29.9 * 24 * HOUR)
    const gaps = times.slice(1).map((time, index) => time - times[index]!)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(HOUR)
  }
  expect(db.raw.prepare('select count(*) from positions where time > ?').pluck().get(anchor)).toBe(0)
  expect(db.raw.prepare('select count(*) from positions').pluck().get()).toBeLessThan(35_000)
})

test('Rex has more than five months of history, so that months can be compared', () => {
  const [oldest, days] = db.raw
    .prepare('select min(time), count(distinct time / 86400) from positions where device_id = ?')
    .raw()
    .get(SEED.devices.rex) as [number, number]
  expect(oldest).toBeLessThan(ANCHOR.getTime() / 1000 - 159 * 24 * HOUR)
  expect(days).toBeGreaterThan(155)
})

test('the last position of every tracker is the newest of its history and has an address', () => {
  const newest = db.raw.prepare('select max(time), lat, lng from positions where device_id = ?').raw()
  for (const { id, positionAt, lat, lng, address } of all) {
    if (id === SEED.devices.newTracker) continue
    expect(newest.get(id)).toEqual([positionAt!.getTime() / 1000, lat, lng])
    expect(address).toMatch(/\d/)
    expect(fromFixed7(lng!)).toBeGreaterThan(-56.22)
  }
})

test('a resting tracker has a fix in the second it arrived', () => {
  const fix = db.raw.prepare('select count(*) from positions where device_id = ? and time = ?').pluck()
  for (const name of ['misty', 'cityBike', 'familyCar', 'cessna', 'grandpa'] as const) {
    expect(fix.get(SEED.devices[name], tracker(name).stationarySince!.getTime() / 1000)).toBe(1)
  }
})
