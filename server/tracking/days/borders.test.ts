import { expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { measurePeriod } from '#contracts/rules/history/borders.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { computeTotals } from '#contracts/rules/history/trips.ts'
import { addDays, startOfLocalDay } from '#contracts/rules/local-day.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import { finish } from '#contracts/rules/work.ts'
import { markNumber, type NewPosition, toFixed7 } from '#db/positions.ts'
import { daySummaries } from '#db/schema/positions.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { summarizeDays } from '#server/jobs/summarize-days.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { ALICE, startImport } from '#server/tracking/import/test-import.ts'
import { listDays, type Portal, readBorders, readHistory } from './test-days.ts'

type Page = Awaited<ReturnType<typeof startImport>>

const at = (time: string, lat: number, lng = 13.4): NewPosition => ({
  time: Date.parse(time) / 1000,
  lat: toFixed7(lat),
  lng: toFixed7(lng),
  precision: 6,
  event: null,
  battery: null,
})

/** A drive of 5.56 km over the midnight of Berlin, between two stays of an hour and more. */
const DRIVE = [
  at('2026-02-10T21:00:00Z', 52.5),
  at('2026-02-10T22:55:00Z', 52.5),
  at('2026-02-10T23:05:00Z', 52.55),
  at('2026-02-11T01:00:00Z', 52.55),
]

/** The metres of each day in the list of days, which must equal those of its history. */
async function readMeters({ portal, target }: Page, from: string, to: string, tz = 'Europe/Berlin') {
  const { days } = await listDays(portal, target, `from=${from}&to=${to}&tz=${tz}`)
  for (const { day, meters, trips } of days) expect([meters, trips]).toEqual(await readShown(portal, target, day, tz))
  return days.map(({ meters }) => meters)
}

/** The metres and the number of trips in the history of a day. */
async function readShown(portal: Portal, id: number, day: string, tz: string) {
  const bounds: [number, number] = [startOfLocalDay(day, tz), startOfLocalDay(addDays(day, 1), tz)]
  const points = await readHistory(portal, id, bounds)
  const fixes = toFixColumns(points.map((point) => ({ ...point, datetime: Date.parse(point.datetime) })))
  const { legs } = finish(measurePeriod(fixes, await readBorders(portal, id, bounds)))
  return [Math.round(computeTotals(legs).meters), legs.filter(({ kind }) => kind === 'trip').length]
}

const remove = ({ portal: { world }, target }: Page, ...rows: NewPosition[]) =>
  world.db.write('everything', (tx) =>
    world.positions.removeAt(
      tx,
      target,
      rows.map(({ time }) => time),
    ),
  )

test('a reported drive over midnight counts on both days by its share of time', async () => {
  await using page = await startImport()
  const positions = DRIVE.map(({ time, lat, lng, precision }) => ({
    datetime: formatInstant(new Date(time * 1000)),
    lat: lat / 1e7,
    lng: lng / 1e7,
    precision,
  }))
  const message = { identifier: '1000000007', positions }
  const { status, body } = await page.portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })
  expect({ status, body }).toMatchObject({ status: 201, body: { accepted: 4 } })
  expect(await readMeters(page, '2026-02-10', '2026-02-11')).toEqual([2780, 2780])
})

test.each([
  ['without a position on the next day, a day ends with its last one', DRIVE.slice(0, 2), [0]],
  [
    'a position exactly at midnight gives the whole leg to the day before',
    [...DRIVE.slice(0, 2), at('2026-02-10T23:00:00Z', 52.55), DRIVE[3]!],
    [5560, 0],
  ],
  [
    'a leg of exactly six hours counts',
    [at('2026-02-10T19:00:00Z', 52.5), at('2026-02-10T20:00:00Z', 52.5), at('2026-02-11T02:00:00Z', 52.56)],
    [3336, 3336],
  ],
  [
    'a silence of more than six hours is a gap, which counts on no day',
    [at('2026-02-10T19:00:00Z', 52.5), at('2026-02-10T20:00:00Z', 52.5), at('2026-02-11T02:00:01Z', 52.56)],
    [0, 0],
  ],
  [
    'a leg over the date line has the length of the short way',
    [at('2026-02-10T22:55:00Z', 0, 179.96), at('2026-02-10T23:05:00Z', 0, -179.96)],
    [4448, 4448],
  ],
  [
    'a day with a single position has the legs to both of its neighbours',
    [at('2026-02-10T22:30:00Z', 52.5), at('2026-02-11T00:00:00Z', 52.56), at('2026-02-11T03:00:00Z', 52.56)],
    [2224, 4448],
  ],
])('%s', async (_, fixes, meters) => {
  await using page = await startImport()
  await page.add(page.target, fixes)
  expect(await readMeters(page, '2026-02-10', '2026-02-11')).toEqual(meters)
})

test('the parts of a long flight over midnight add up to its great-circle distance', async () => {
  await using page = await startImport()
  const [london, newYork] = [
    { lat: 51.47, lng: -0.45 },
    { lat: 40.64, lng: -73.78 },
  ]
  await page.add(page.target, [at('2026-02-10T20:30:00Z', london.lat, london.lng), at('2026-02-11T02:30:00Z', newYork.lat, newYork.lng)])
  const meters = distanceMeters(london, newYork)
  expect(await readMeters(page, '2026-02-10', '2026-02-11')).toEqual([(meters * 2.5) / 6, (meters * 3.5) / 6].map(Math.round))
})

test.each([
  ['23', '2026-03-28', '2026-03-30', ['2026-03-28T22:54:00Z', '2026-03-28T23:06:00Z', '2026-03-29T21:54:00Z', '2026-03-29T22:06:00Z']],
  ['25', '2025-10-25', '2025-10-27', ['2025-10-25T21:54:00Z', '2025-10-25T22:06:00Z', '2025-10-26T22:54:00Z', '2025-10-26T23:06:00Z']],
])('a day of %s hours has half of the leg over each of its midnights', async (_, from, to, times) => {
  await using page = await startImport()
  const [evening, night, lateEvening, lateNight] = times
  const way = [at(evening!, 52.5), at(night!, 52.52), at(lateEvening!, 52.52), at(lateNight!, 52.54)]
  await page.add(page.target, way)
  expect(await readMeters(page, from, to)).toEqual([1112, 2224, 1112])
})

test('a stay over midnight is a stop from and to midnight and adds no trip', async () => {
  await using page = await startImport()
  const stay = ['2026-02-10T20:00:00Z', '2026-02-10T22:00:00Z', '2026-02-11T00:00:00Z', '2026-02-11T02:00:00Z']
  await page.add(
    page.target,
    stay.map((time) => at(time, 52.5)),
  )
  const { days } = await listDays(page.portal, page.target, 'from=2026-02-10&to=2026-02-11&tz=Europe/Berlin')
  expect(days).toMatchObject([
    { meters: 0, trips: 0, stops: 1, longest_stop_seconds: 3 * 3600, positions: 2, last: '2026-02-10T22:00:00Z' },
    { meters: 0, trips: 0, stops: 1, longest_stop_seconds: 3 * 3600, positions: 2, first: '2026-02-11T00:00:00Z' },
  ])
})

test("midnight is that of each viewer's time zone", async () => {
  await using page = await startImport()
  await page.add(page.target, DRIVE)
  expect(await readMeters(page, '2026-02-10', '2026-02-11', 'UTC')).toEqual([5560, 0])
  expect(await readMeters(page, '2026-02-10', '2026-02-11')).toEqual([2780, 2780])
})

test('a saved day changes when a position on the other side of midnight arrives, is removed or is marked as wrong', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const { world } = portal
  const [, , arrival, stay] = DRIVE
  const first = async () => (await readMeters(page, '2026-02-10', '2026-02-10'))[0]
  const isStale = async () => (await world.db.read.select().from(daySummaries).orderBy(daySummaries.start))[0]?.isStale
  await page.add(target, DRIVE.slice(0, 2))
  expect([await first(), await isStale()]).toEqual([0, false])

  await page.add(target, [stay!])
  expect(await isStale()).toBe(true)
  expect(await first()).toBe(222)
  await page.add(target, [arrival!])
  expect(await first()).toBe(2780)

  await world.db.write('everything', (tx) => world.positions.mark(tx, target, arrival!.time, markNumber('jump')))
  expect(await first()).toBe(222)
  await world.db.write('everything', (tx) => world.positions.mark(tx, target, arrival!.time, markNumber('kept')))
  expect(await first()).toBe(2780)

  await remove(page, arrival!, stay!)
  expect(await first()).toBe(0)

  // Beyond six hours nothing changes.
  await page.add(target, [at('2026-02-11T05:00:00Z', 52.55)])
  expect(await isStale()).toBe(false)
})

test('once retention deletes the position before midnight, the next day loses its share of that leg', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const { world } = portal
  await page.add(target, DRIVE)
  expect(await readMeters(page, '2026-02-11', '2026-02-11')).toEqual([2780])
  await world.db.write('everything', (tx) => world.positions.removeUntil(tx, target, DRIVE[1]!.time, 1000))
  expect(await readMeters(page, '2026-02-11', '2026-02-11')).toEqual([0])
})

test('the job that summarizes outdated days also counts the legs over midnight', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const { world } = portal
  await page.add(target, DRIVE.slice(0, 2))
  expect(await readMeters(page, '2026-02-10', '2026-02-10')).toEqual([0])
  await page.add(target, DRIVE.slice(2))
  await runDue(world, new Date(DRIVE[0]!.time * 1000 + 24 * HOUR_MS), { jobs: [summarizeDays] })
  expect(await world.db.read.select().from(daySummaries)).toMatchObject([{ meters: 2780, isStale: false }])
})

test('the borders of an unfinished period are those of its start, and a period that ends before it begins is refused', async () => {
  await using page = await startImport()
  await page.add(page.target, DRIVE)
  const read = async (query: string) => {
    const { status, body } = await page.portal.call(ALICE, 'GET', `/devices/${page.target}/days/borders/?${query}`)
    return status === 200 ? body : body.code
  }
  const start = { lat: 52.525, lng: 13.4, precision: 6, datetime: '2026-02-10T23:00:00Z' }
  expect(await read('not_before=2026-02-10T23:00:00Z')).toEqual({ start, end: null })
  expect(await read('not_before=2026-02-10T12:00:00Z&not_after=2026-02-10T22:59:59.999Z')).toEqual({ start: null, end: start })
  expect(await read('not_before=2026-02-11T00:00:00Z&not_after=2026-02-10T00:00:00Z')).toBe('invalid_period')
  expect(await read('')).toBe('validation_error')
})

test('the totals of the days of a week add up to those of its history', async () => {
  await using page = await startImport()
  const { portal } = page
  const [from, to, tz] = ['2026-02-20', '2026-02-26', 'America/Montevideo']
  const { days } = await listDays(portal, SEED.devices.rex, `from=${from}&to=${to}&tz=${tz}`)
  const bounds: [number, number] = [startOfLocalDay(from, tz), startOfLocalDay(addDays(to, 1), tz)]
  const points = await readHistory(portal, SEED.devices.rex, bounds)
  const fixes = toFixColumns(points.map((point) => ({ ...point, datetime: Date.parse(point.datetime) })))
  const { legs } = finish(measurePeriod(fixes, await readBorders(portal, SEED.devices.rex, bounds)))
  const sum = days.reduce((all, { meters }) => all + meters, 0)
  expect(Math.abs(sum - computeTotals(legs).meters)).toBeLessThan(0.01 * sum)
})
