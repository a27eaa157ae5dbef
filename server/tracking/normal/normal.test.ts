import { expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import { MONDAY } from '#contracts/rules/tracking/usual/test-weeks.ts'
import { usualAreas } from '#db/schema/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { ALICE, ID, startBike as start } from './test-bike.ts'

test('nothing is learnt before an owner switches it on, and at once after that', async () => {
  await using portal = await start(4)
  await portal.advance('P2D')
  expect(await portal.read()).toEqual({ enabled: false, ready_from: null, learnt_at: null, places: [], ways: [], cells: [] })
  expect((await portal.set(true)).body).toEqual({ enabled: true })
  await portal.advance('PT1M')
  const { places, ways, cells, ...state } = await portal.read()
  expect(state).toEqual({ enabled: true, ready_from: null, learnt_at: '2026-04-01T00:01:00Z' })
  // The first night begins on the day before, in the time zone of the owner.
  expect(places.map(({ days, dismissed }) => [days, dismissed])).toEqual([
    [29, false],
    [28, false],
  ])
  expect(ways.map(({ days, width, dismissed }) => [days, width, dismissed])).toEqual([
    [28, 100, false],
    [28, 100, false],
  ])
  expect(cells.length).toBeGreaterThan(8)
})

test('it is learnt again every day, so that what no longer happens is forgotten after six weeks', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('P2D')
  const learnt = await portal.read()
  expect(learnt.learnt_at).toBe('2026-03-31T01:00:00Z')
  await portal.advance('P37D')
  expect(await portal.read()).toMatchObject({ enabled: true, learnt_at: null, places: [], ways: [], cells: [] })
})

test('a tracker with two weeks of positions says from which day on it can be known, and then learns by itself', async () => {
  await using portal = await start(2)
  await portal.set(true)
  await portal.advance('PT1M')
  expect(await portal.read()).toMatchObject({ enabled: true, ready_from: '2026-03-22', learnt_at: null, places: [] })
})

test('switching it off deletes what was learnt', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('PT1M')
  await portal.set(false)
  expect(await portal.read()).toMatchObject({ enabled: false, learnt_at: null, places: [], ways: [], cells: [] })
  expect(await portal.row()).toMatchObject({ isOn: false, cells: null, learnt: null, dueAt: null })
})

test('when positions are deleted, what was learnt from them is deleted with them and learnt again from the others', async () => {
  await using portal = await start(5)
  const { db } = portal.world
  await portal.set(true)
  await portal.advance('PT1M')
  const before = (await portal.read()).places[0]!
  await db.write('everything', (tx) => db.positions.removeUntil(tx, ID, (MONDAY + 7 * DAY_MS) / 1000, 100_000))
  expect(await portal.read()).toMatchObject({ enabled: true, learnt_at: null, places: [], ways: [], cells: [] })
  await portal.advance('PT1M')
  expect((await portal.read()).places[0]!.days).toBe(before.days - 7)

  const all = await db.positions.range(ID, 0, 2 ** 32, 100_000, 0)
  await db.write('everything', (tx) => db.positions.removeAt(tx, ID, [all[0]!.time]))
  expect((await portal.row())?.learnt).toBeNull()
  await portal.advance('PT1M')
  expect((await portal.row())?.learnt).not.toBeNull()
  await db.write('everything', (tx) => db.positions.remove(tx, ID))
  expect(await portal.row()).toMatchObject({ cells: null, learnt: null, learntAt: null })
})

test('a dismissed place and a dismissed way stay dismissed when they are learnt again', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('PT1M')
  const { places, ways } = await portal.read()
  const [, park] = places
  const { points } = ways[0]!
  expect((await portal.dismiss([park].map((at) => ({ lat: at!.lat, lng: at!.lng })))).body).toEqual({ dismissed: 1 })
  expect((await portal.dismiss([points[0], points[points.length >> 1], points.at(-1)])).body).toEqual({ dismissed: 2 })
  await portal.advance('P1D')
  const after = await portal.read()
  expect(after.places.map(({ dismissed }) => dismissed)).toEqual([false, true])
  expect(after.ways.map(({ dismissed }) => dismissed).sort()).toEqual([false, true])
})

test('usual places are suggested until they are a place or dismissed', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('PT1M')
  const { places } = await portal.read()
  const [home, park] = places.map(({ dismissed: _, ...place }) => ({ ...place, devices: [ID] }))
  const suggested = async () => (await portal.suggestions()).filter(({ devices }) => devices.includes(ID))
  expect(await suggested()).toEqual([home, park])

  const { lat, lng, radius } = park!
  const body = { name: 'Park', address: 'Park', type: 'other', devices: [], lat, lng, radius }
  expect((await portal.call(ALICE, 'POST', '/tracker_places/', body)).status).toBe(201)
  expect(await suggested()).toEqual([home])

  await portal.dismiss([{ lat: home!.lat, lng: home!.lng }])
  await portal.advance('P1D')
  expect(await suggested()).toEqual([])
})

test('a place where two trackers usually are is suggested once, with both', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('PT1M')
  const row = await portal.row()
  const { misty } = SEED.devices
  await portal.world.db.write('everything', (tx) => tx.insert(usualAreas).values({ ...row!, deviceId: misty }))
  const [first] = await portal.suggestions()
  expect(first?.devices).toEqual([misty, ID].sort((a, b) => a - b))
  expect((await portal.suggestions()).filter(({ devices }) => devices.includes(ID))).toHaveLength(2)
})

test('users get no suggestions from trackers of other accounts', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.advance('PT1M')
  expect((await portal.call('dario@example.com', 'GET', '/tracker_places/suggestions/')).body).toEqual([])
})

test('a removed tracker leaves nothing to its next owner', async () => {
  await using portal = await start(4)
  await portal.set(true)
  await portal.call(ALICE, 'DELETE', `/devices/${ID}/`)
  expect(await portal.row()).toBeUndefined()
})
