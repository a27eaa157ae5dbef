import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Tx } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { prices, subscriptions } from '#db/schema/commerce.ts'
import { devices, hiddenDevices, sct2Params, tags } from '#db/schema/devices.ts'
import { publicLinks, theftReports } from '#db/schema/sharing.ts'
import { createTestWorld, NOW, OWNER } from '#server/tracking/test-world.ts'
import { deviceList } from './device-list.ts'
import { presentDevice } from './devices.present.ts'
import { listDeviceFacts } from './devices.store.ts'

type Portal = Awaited<ReturnType<typeof createTestWorld>>

const listOf = (portal: Portal, viewer = OWNER) => deviceList({ ...portal.world, viewer })
const devicesIn = ({ composed }: { composed: Buffer }): Device[] => JSON.parse(composed.toString())
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS)
const minutes = (count: number) => (count * DAY_MS) / 60_000

test('an unchanged list is served from the cache as the same buffer', async () => {
  using portal = await createTestWorld()
  const first = await listOf(portal)
  expect(await listOf(portal)).toBe(first)
})

test('an uplink changes only its own tracker in the list', async () => {
  using portal = await createTestWorld()
  await portal.add(2)
  const before = await listOf(portal)
  await portal.say(0, 0, { battery: 12 })
  const after = await listOf(portal)
  expect(after.etag).not.toBe(before.etag)
  expect(devicesIn(after).map(({ id, tracker_status }) => [id, tracker_status.battery])).toEqual([
    [1, 12],
    [2, null],
  ])
})

test('an uplink on another account leaves a cached list valid', async () => {
  using portal = await createTestWorld()
  await portal.add(2, { accountId: 2 })
  const before = await listOf(portal)
  await portal.say(0, 0, { identifier: '1000000002' })
  expect(await listOf(portal)).toBe(before)
})

test('support sees changes on every account', async () => {
  using portal = await createTestWorld()
  await portal.add(2, { accountId: 2 })
  const support = { userId: 9, accountId: 9, role: 'deepsupport' as const }
  await listOf(portal, support)
  await portal.say(0, 0, { identifier: '1000000002', battery: 5 })
  expect(devicesIn(await listOf(portal, support)).map(({ tracker_status }) => tracker_status.battery)).toEqual([null, 5])
})

test('a tracker added by a write without change notice appears in the list', async () => {
  using portal = await createTestWorld()
  await listOf(portal)
  await portal.add(2)
  expect(devicesIn(await listOf(portal))).toHaveLength(2)
})

test('a cached list shows a subscription that ended in the meantime as ended', async () => {
  using portal = await createTestWorld({ subEndDate: days(3) })
  await listOf(portal)
  portal.at(minutes(3))
  expect(devicesIn(await listOf(portal))[0]?.tracker_status.sub_state).toBe('active')
  portal.at(minutes(3) + 1)
  expect(devicesIn(await listOf(portal))[0]?.tracker_status.sub_state).toBe('ended')
  portal.at(0)
  expect(devicesIn(await listOf(portal))[0]?.tracker_status.sub_state).toBe('active')
})

test('R-4.9 a cached list shows a tracker silent for more than 90 days as deactivated', async () => {
  using portal = await createTestWorld({ lastMessageAt: NOW })
  const before = await listOf(portal)
  portal.at(minutes(90))
  expect(await listOf(portal)).toBe(before)
  portal.at(minutes(90) + 1)
  expect(devicesIn(await listOf(portal))[0]?.tracker_config.network_state).toBe('deactivated')
})

test('R-3.12 a tracker is public until its last link ends', async () => {
  using portal = await createTestWorld()
  const link = { deviceId: 1, label: 'x', isPermanent: false, showsLastPoint: false, createdAt: NOW }
  await portal.world.db.write('everything', (tx) =>
    tx.insert(publicLinks).values([
      { ...link, uuid: 'a', endsAt: days(1) },
      { ...link, uuid: 'b', endsAt: days(2) },
    ]),
  )
  const isPublic = async () => devicesIn(await listOf(portal))[0]?.is_public
  expect(await isPublic()).toBe(true)
  portal.at(minutes(2) - 1)
  expect(await isPublic()).toBe(true)
  portal.at(minutes(2))
  expect(await isPublic()).toBe(false)
})

test('R-3.13 visible is per user, even for a tracker whose name looks like JSON', async () => {
  using portal = await createTestWorld({ name: '"visible":true' })
  await portal.add(2)
  await portal.world.db.write('everything', (tx) => tx.insert(hiddenDevices).values({ userId: 1, deviceId: 1 }))
  const visible = async (viewer = OWNER) => devicesIn(await listOf(portal, viewer)).map(({ name, visible }) => [name, visible])
  expect(await visible()).toEqual([
    ['"visible":true', false],
    ['Tracker 2', true],
  ])
  expect((await visible({ ...OWNER, userId: 2 })).map(([, visible]) => visible)).toEqual([true, true])
})

test('a cached list shows each change of a row in any of its tables', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const report = { deviceId: 1, date: NOW, address: '', description: '', status: 'open' as const, createdAt: NOW }
  const changes: Record<string, (tx: Tx) => PromiseLike<unknown>> = {
    'a tag': (tx) => tx.insert(tags).values({ id: 5, accountId: 1, name: 'Farm', key: 'farm', color: '#123456' }),
    'the tag of the tracker': (tx) => tx.update(devices).set({ tagId: 5 }),
    'the name of the tag': (tx) => tx.update(tags).set({ name: 'Forest' }),
    'the board': (tx) => tx.update(devices).set({ boardName: 'SCT2' }),
    intervals: (tx) =>
      tx.insert(sct2Params).values({ deviceId: 1, frequency: 10, keepalivePeriod: 60, tempUplinkSlicesDuration: 1, tempSliceDuration: 1 }),
    'other intervals': (tx) => tx.update(sct2Params).set({ frequency: 20 }),
    'a price': (tx) =>
      tx
        .insert(prices)
        .values({ id: 'p', type: 'plan', name: 'Plan', currency: 'eur', unitAmount: 1, taxBehavior: 'inclusive', months: 1, extra: 0 }),
    'a subscription': (tx) =>
      tx.insert(subscriptions).values({ deviceId: 1, priceId: 'p', isRecurring: false, months: 1, extra: 0, options: [], startedAt: NOW }),
    'its renewal': (tx) => tx.update(subscriptions).set({ months: 12 }),
    'a theft': (tx) => tx.insert(theftReports).values(report),
    'its end': (tx) => tx.update(theftReports).set({ status: 'closed' }),
  }
  const unseen: string[] = []
  for (const [name, change] of Object.entries(changes)) {
    const before = await listOf(portal)
    await db.write('everything', async (tx) => void (await change(tx)))
    const after = await listOf(portal)
    const [facts] = await listDeviceFacts(db.read, [1])
    expect(devicesIn(after), name).toEqual([presentDevice(facts!, NOW)])
    if (after.etag === before.etag) unseen.push(name)
  }
  expect(unseen).toEqual(['a tag', 'a price'])
})

test('R-4.21 an account without trackers has an empty list', async () => {
  using portal = await createTestWorld()
  expect(devicesIn(await listOf(portal, { userId: 2, accountId: 2, role: 'user' }))).toEqual([])
})

describe('a cached list of which single trackers have changed', () => {
  const idsIn = (answer: { composed: Buffer }) => devicesIn(answer).map(({ id }) => id)
  const change = (portal: Portal, id: number, accountId: number, values: Partial<typeof devices.$inferInsert>) =>
    writeDevices(portal.world.db, 'everything', async (tx) => {
      touch(tx, { id, accountId })
      await tx.update(devices).set(values).where(eq(devices.id, id))
    })

  async function createWorldWithThree() {
    const portal = await createTestWorld()
    await portal.add(2)
    await portal.add(3)
    return portal
  }

  test('a renamed tracker moves to its new position in the list', async () => {
    using portal = await createWorldWithThree()
    expect(idsIn(await listOf(portal))).toEqual([1, 2, 3])
    await change(portal, 1, 1, { name: 'Zebra' })
    expect(idsIn(await listOf(portal))).toEqual([2, 3, 1])
    await change(portal, 1, 1, { name: 'Aardvark' })
    expect(idsIn(await listOf(portal))).toEqual([1, 2, 3])
  })

  test('a tracker that moves to another account leaves the list, and is in it again when it returns', async () => {
    using portal = await createWorldWithThree()
    await listOf(portal)
    await change(portal, 2, 1, { accountId: 2 })
    expect(idsIn(await listOf(portal))).toEqual([1, 3])
    await change(portal, 2, 1, { accountId: 1 })
    expect(idsIn(await listOf(portal))).toEqual([1, 2, 3])
  })

  test('a deleted tracker leaves the list', async () => {
    using portal = await createWorldWithThree()
    await listOf(portal)
    await writeDevices(portal.world.db, 'everything', async (tx) => {
      touch(tx, { id: 3, accountId: 1 })
      await tx.delete(devices).where(eq(devices.id, 3))
    })
    expect(idsIn(await listOf(portal))).toEqual([1, 2])
  })

  test('a tracker outside the team list stays out of the list of a member', async () => {
    using portal = await createWorldWithThree()
    await portal.world.db.write('everything', async (tx) => {
      const person = { accountId: 1, firstName: 'M', lastName: 'N', createdAt: NOW }
      await tx.insert(users).values({ ...person, id: 3, username: 'm', email: 'm@example.com', role: 'pro' })
      await tx.insert(teamDevices).values({ userId: 3, deviceId: 2 })
    })
    const member = { userId: 3, accountId: 1, role: 'pro' as const }
    expect(idsIn(await listOf(portal, member))).toEqual([2])
    await change(portal, 1, 1, { battery: 7 })
    await change(portal, 2, 1, { battery: 8 })
    expect(devicesIn(await listOf(portal, member)).map(({ id, tracker_status }) => [id, tracker_status.battery])).toEqual([[2, 8]])
  })

  test('an updated list has the same content and ETag as one read from the database', async () => {
    using portal = await createWorldWithThree()
    await listOf(portal)
    await change(portal, 2, 1, { name: 'Zebra', battery: 3 })
    const updated = await listOf(portal)
    portal.world.db.changes.markAll()
    const read = await listOf(portal)
    expect(updated.composed.equals(read.composed)).toBe(true)
    expect(updated.etag).toBe(read.etag)
  })
})
