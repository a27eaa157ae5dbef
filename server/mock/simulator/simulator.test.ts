import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Message } from '#contracts/positions.ts'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import type { City } from '#server/mock/city/index.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { cloneWorld } from '#server/mock/worlds/world.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { ingest } from '#server/tracking/ingest/ingest.ts'
import { createSimulator } from './simulator.ts'

const HOUR = 3600
const { rex, misty, cessna, newTracker, oldTracker, puppy, kitchen, deliveryVan, companyVan, stolenScooter } = SEED.devices
const quiet = { info() {}, warn() {}, error() {} }
const template = readFileSync(templateFile())
const at = (second: number) => new Date(ANCHOR.getTime() + second * 1000)
const identifier = (id: number) => `10000000${String(id).padStart(2, '0')}`
let city: City
beforeAll(async () => {
  city = await openTestCity()
})

type Heard = { second: number; message: Message }

/** A world at the anchor with its own simulator; `heard` collects every message it sends. */
function start(second = 0) {
  const world = cloneWorld(template, {
    id: 'test',
    city,
    seed: 1,
    anchor: ANCHOR,
    origin: 'http://portal.test',
    log: quiet,
    clock: { at: at(second), mode: 'frozen' },
  })
  const heard: Heard[] = []
  const send: typeof ingest = (played, message) => {
    heard.push({ second: (played.clock.now().getTime() - ANCHOR.getTime()) / 1000, message })
    return ingest(played, message)
  }
  const simulator = createSimulator({ world, city, seed: 1, anchor: ANCHOR, send })
  const change = (id: number, changes: Partial<DeviceRow>) =>
    world.db.write('everything', (tx) => tx.update(devices).set(changes).where(eq(devices.id, id)))
  return {
    world,
    heard,
    change,
    run: (to: number) => simulator.runUntil(at(to)),
    device: async (id: number) => (await world.db.read.select().from(devices).where(eq(devices.id, id)))[0]!,
    fixesOf: (id: number) =>
      heard
        .filter(({ message }) => message.identifier === identifier(id))
        .flatMap(({ message }) => message.positions.map(({ datetime }) => (Date.parse(datetime) - ANCHOR.getTime()) / 1000)),
    tables: () => ['positions', 'devices', 'alert_devices'].map((name) => world.db.raw.prepare(`select * from ${name}`).all()),
    [Symbol.dispose]: () => world.close(),
  }
}

test('nothing is due at the anchor', async () => {
  using played = start()
  expect(await played.run(0)).toBe(0)
})

test('Rex leaves home within three minutes, and Bob and Carol get a mail', async () => {
  using played = start()
  await played.run(180)
  const mails = played.world.db.raw.prepare(`select "to" from emails where template = 'place_alert' order by 1`).pluck().all()
  expect(mails).toEqual(['bob@example.net', 'carol@example.net'])
})

test('advancing by 24 hours equals advancing 24 times by one hour', async () => {
  using whole = start()
  using parts = start()
  const count = await whole.run(24 * HOUR)
  let sum = 0
  for (let hour = 1; hour <= 24; hour++) sum += await parts.run(hour * HOUR)
  expect(sum).toBe(count)
  expect(count).toBeGreaterThan(500)
  expect(parts.tables()).toEqual(whole.tables())
})

test('messages are sent in order of time with at most 200 fixes each', async () => {
  using played = start()
  await played.run(72 * HOUR)
  const seconds = played.heard.map(({ second }) => second)
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  for (const { message } of played.heard) expect(message.positions.length).toBeLessThanOrEqual(200)
})

test('R-9.7 a boosted tracker sends a fix every 30 seconds for an hour', async () => {
  using played = start()
  await played.run(HOUR)
  const gaps = played.fixesOf(rex).map((second, index, all) => second - (all[index - 1] ?? second - 30))
  expect(gaps.length).toBeGreaterThan(110)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(30)
})

test.each([
  ['the company van', companyVan, 120],
  ['the stolen scooter', stolenScooter, 180],
])('%s (tracker %i) sends a fix every %i seconds while moving', async (_, id, seconds) => {
  using played = start()
  await played.run(500)
  const [first, second] = played.fixesOf(id)
  expect(second! - first!).toBe(seconds)
})

test('R-4.3 the next message applies the requested mode', async () => {
  using played = start()
  await played.run(200)
  expect(await played.device(deliveryVan)).toMatchObject({ mode: 7, pendingMode: null })
  await played.change(misty, { pendingMode: 27 })
  await played.run(4 * HOUR)
  const [walk, next] = played.fixesOf(misty).filter((second) => second > 182 * 60)
  expect(next! - walk!).toBeGreaterThanOrEqual(180)
  expect(await played.device(misty)).toMatchObject({ mode: 27, pendingMode: null })
})

test('a tracker is silent in plane mode, without a subscription and without a network', async () => {
  using played = start()
  await played.change(companyVan, { networkState: 'deactivated' })
  await played.run(24 * HOUR)
  for (const id of [cessna, newTracker, oldTracker, puppy, kitchen, companyVan]) expect(played.fixesOf(id)).toEqual([])
})

test('a tracker asked to leave plane mode sends a message within four hours', async () => {
  using played = start()
  await played.change(cessna, { pendingMode: 1 })
  await played.run(4 * HOUR)
  expect((await played.device(cessna)).mode).toBe(1)
})

test('a tracker sends from its activation until its subscription ends', async () => {
  using played = start()
  await played.run(HOUR)
  await played.change(newTracker, { subState: 'active', subEndDate: at(10 * HOUR) })
  await played.run(24 * HOUR)
  const fixes = played.fixesOf(newTracker)
  expect(fixes[0]).toBe(HOUR + 1)
  expect(fixes.at(-1)).toBeLessThan(10 * HOUR)
})

test('after days of standstill at most one day is caught up', async () => {
  using played = start(10 * 24 * HOUR)
  await played.run(10 * 24 * HOUR)
  const earliest = Math.min(...played.heard.map(({ second }) => second))
  expect(played.heard.length).toBeGreaterThan(100)
  expect(earliest).toBeGreaterThan(9 * 24 * HOUR)
})
