import { expect, test } from 'vitest'
import { DAYS } from '#contracts/days.ts'
import { measurePeriod } from '#contracts/rules/history/borders.ts'
import { toFixColumns } from '#contracts/rules/history/fixes.ts'
import { computeTotals } from '#contracts/rules/history/trips.ts'
import { addDays, localDay, startOfLocalDay } from '#contracts/rules/local-day.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import { finish } from '#contracts/rules/work.ts'
import { markNumber, type NewPosition, toFixed7 } from '#db/positions.ts'
import { daySummaries } from '#db/schema/positions.ts'
import { nextDue, runDue } from '#server/jobs/run-jobs.ts'
import { markAgain, summarizeDays } from '#server/jobs/summarize-days.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, startImport } from '#server/tracking/import/test-import.ts'
import { readDays } from './days.handlers.ts'
import { listDays, readBorders, readHistory } from './test-days.ts'

const ZONE = 'America/Montevideo'

test("D-70 the totals of each day equal those of its history, with days of the user's time zone", async () => {
  await using portal = await startPortal()
  const { rex, grandpa } = SEED.devices
  for (const [id, zone] of [
    [rex, ZONE],
    [rex, 'Asia/Kathmandu'],
    [grandpa, ZONE],
  ] as const) {
    const { days, next } = await listDays(portal, id, `from=2026-02-20&to=2026-03-10&tz=${zone}`)
    expect(next).toBeNull()
    expect(days.map(({ day }) => day)).toEqual([...Array(11).keys()].map((later) => addDays('2026-02-20', later)))
    for (const each of days) {
      const bounds: [number, number] = [startOfLocalDay(each.day, zone), startOfLocalDay(addDays(each.day, 1), zone)]
      const points = await readHistory(portal, id, bounds)
      const fixes = toFixColumns(points.map((point) => ({ ...point, datetime: Date.parse(point.datetime) })))
      const { legs } = finish(measurePeriod(fixes, await readBorders(portal, id, bounds)))
      const { meters, movingMs, stops, longestStopMs } = computeTotals(legs)
      expect(each).toEqual({
        day: each.day,
        meters: Math.round(meters),
        moving_seconds: Math.round(movingMs / 1000),
        top_speed: expect.closeTo(Math.max(0, ...legs.map(({ topSpeedKmh }) => topSpeedKmh)), 0),
        trips: legs.filter(({ kind }) => kind === 'trip').length,
        stops,
        longest_stop_seconds: Math.round(longestStopMs / 1000),
        positions: points.length,
        first: points[0]?.datetime,
        last: points.at(-1)?.datetime,
      })
    }
  }
})

/** A movement of `metres` to the north in half an hour, from second `start` on. */
const way = (start: number, metres: number): NewPosition[] =>
  [...Array(31).keys()].map((minute) => ({
    time: start + minute * 60,
    lat: toFixed7(-34.9 + (metres * minute) / 30 / 111_195),
    lng: toFixed7(-56.1),
    precision: 5,
    event: null,
    battery: null,
  }))

const second = (text: string) => Date.parse(text) / 1000

const gpx = (rows: readonly NewPosition[]) => {
  const point = ({ time, lat, lng }: NewPosition) =>
    `<trkpt lat="${lat / 1e7}" lon="${lng / 1e7}"><time>${new Date(time * 1000).toISOString()}</time></trkpt>`
  return `<gpx version="1.1"><trk><trkseg>${rows.map(point).join('')}</trkseg></trk></gpx>`
}

test('D-70 any change of positions changes the totals at the next call, or else with the next run of the job', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const { world } = portal
  const read = async (tz = ZONE) => (await listDays(portal, target, `from=2026-01-01&to=2026-01-31&tz=${tz}`)).days
  const meters = async (tz = ZONE) => Object.fromEntries((await read(tz)).map(({ day, meters }) => [day, Math.round(meters / 100)]))
  const saved = async () =>
    (await world.db.read.select().from(daySummaries).orderBy(daySummaries.start)).filter(({ positions }) => positions > 0)
  const isStale = async () => (await saved()).map((row) => row.isStale)
  const run = () => runDue(world, world.clock.now(), { jobs: [markAgain, summarizeDays] })

  expect(await read()).toEqual([])
  await page.add(target, way(second('2026-01-10T12:00:00Z'), 3000))
  await page.add(target, way(second('2026-01-12T12:00:00Z'), 2000))
  expect(await meters()).toEqual({ '2026-01-10': 30, '2026-01-12': 20 })
  expect(await isStale()).toEqual([false, false])

  // A late message: the same day, three hours later, 3 km to the south.
  await page.add(target, way(second('2026-01-10T15:00:00Z'), 4000))
  expect(await isStale()).toEqual([true, false])
  expect((await run()).map(({ kind }) => kind)).toEqual(['summarize_days'])
  expect((await saved()).map((row) => [Math.round(row.meters / 100), row.isStale])).toEqual([
    [100, false],
    [20, false],
  ])
  expect(await meters()).toEqual({ '2026-01-10': 100, '2026-01-12': 20 })

  const { id } = await page.preview(gpx(way(second('2026-01-11T12:00:00Z'), 5000)))
  await page.commit(id)
  expect(await meters()).toEqual({ '2026-01-10': 100, '2026-01-11': 50, '2026-01-12': 20 })
  await page.undo(id)
  expect(await meters()).toEqual({ '2026-01-10': 100, '2026-01-12': 20 })

  // A jump across the city stops counting when it is marked, and counts again when its owner restores it.
  const [jump] = way(second('2026-01-12T12:40:00Z'), 0).map((row) => ({ ...row, lat: toFixed7(-34.8) }))
  await page.add(target, [{ ...jump!, mark: markNumber('jump') }])
  expect(await meters()).toMatchObject({ '2026-01-12': 20 })
  await portal.call(ALICE, 'PATCH', `/devices/${target}/tracker_data/marks/`, {
    positions: [target * 2 ** 32 + jump!.time],
    mark: 'kept',
  })
  expect((await meters())['2026-01-12']).toBeGreaterThan(80)

  // The days of another time zone are other rows, and change with the same positions. The way back ends at midnight in Tokyo.
  expect(await meters('Asia/Tokyo')).toMatchObject({ '2026-01-10': 60, '2026-01-11': 40 })
  await world.db.write('everything', (tx) =>
    world.positions.removeAt(
      tx,
      target,
      [...Array(31).keys()].map((m) => second('2026-01-10T12:00:00Z') + m * 60),
    ),
  )
  expect(Object.keys(await meters('Asia/Tokyo'))).toEqual(['2026-01-11', '2026-01-12'])
  expect((await meters())['2026-01-10']).toBe(40)
  await world.db.write('everything', (tx) => world.positions.removeUntil(tx, target, second('2026-01-11T00:00:00Z'), 1000))
  expect(Object.keys(await meters())).toEqual(['2026-01-12'])
  await world.db.write('everything', (tx) => world.positions.remove(tx, target))
  expect([await read(), await saved()]).toEqual([[], []])
})

test('the day in progress is summarized again seven hours after its end, when no later position changes it', async () => {
  await using portal = await startPortal()
  const { world } = portal
  const today = localDay(world.clock.now().getTime(), ZONE)
  await listDays(portal, SEED.devices.rex, `from=${today}&to=${today}&tz=${ZONE}`)
  await world.db.write('everything', (tx) => world.positions.add(tx, SEED.devices.rex, way(world.clock.now().getTime() / 1000 + 1, 10)))
  const end = startOfLocalDay(addDays(today, 1), ZONE)
  expect(await nextDue(world, world.clock.now(), [summarizeDays])).toEqual(new Date(end + 7 * HOUR_MS))
  expect(await runDue(world, new Date(end + HOUR_MS), { jobs: [summarizeDays] })).toEqual([])
  expect(await runDue(world, new Date(end + 7 * HOUR_MS), { jobs: [summarizeDays] })).toHaveLength(1)
})

test('totals are not saved when a position arrives while they are computed', async () => {
  await using page = await startImport()
  const { world } = page.portal
  const [start, days] = [second('2026-01-10T12:00:00Z'), { from: '2026-01-10', to: '2026-01-10', timeZone: 'UTC' }]
  await page.add(page.target, way(start, 1000))
  const interrupted: typeof world.db = {
    ...world.db,
    history: () => ({
      ...world.db.history(),
      async columns(...period) {
        const found = await world.positions.columns(...period)
        await page.add(page.target, way(start + 7200, 2000))
        return found
      },
    }),
  }
  const { days: before } = await readDays({ db: interrupted }, page.target, days)
  const { days: after } = await readDays(world, page.target, days)
  expect([before, after].map(([day]) => day?.positions)).toEqual([31, 62])
})

test('one call reads a limited number of positions and returns the day to continue with', async () => {
  await using page = await startImport()
  const start = second('2026-01-01T00:00:00Z')
  const dense = [...Array(DAYS.positionsPerCall / 2 + 1).keys()]
  for (const day of [0, 1, 2, 3])
    await page.add(
      page.target,
      dense.map((nth) => ({ ...way(start, 0)[0]!, time: start + day * 86_400 + nth * 3 })),
    )
  const first = await listDays(page.portal, page.target, 'from=2026-01-01&to=2026-01-31&tz=UTC')
  expect([first.days.map(({ day }) => day), first.next]).toEqual([['2026-01-01', '2026-01-02'], '2026-01-03'])
  const rest = await listDays(page.portal, page.target, `from=${first.next}&to=2026-01-31&tz=UTC`)
  expect([rest.days.map(({ day }) => day), rest.next]).toEqual([['2026-01-03', '2026-01-04'], null])
  const again = await listDays(page.portal, page.target, 'from=2026-01-01&to=2026-01-31&tz=UTC')
  expect([again.days, again.next]).toEqual([[...first.days, ...rest.days], null])
})

test('a period that is too long or ends before it begins is refused, and so is a day or a time zone that does not exist', async () => {
  await using portal = await startPortal()
  const ask = async (query: string) => {
    const { status, body } = await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/days/?${query}`)
    return status === 200 ? status : body.code
  }
  expect([
    await ask('from=2025-01-01&to=2026-02-04'),
    await ask('from=2025-01-01&to=2026-02-05'),
    await ask('from=2026-01-02&to=2026-01-01'),
    await ask('from=2026-02-29&to=2026-03-01'),
    await ask('from=2026-02-28&to=2026-03-01&tz=Europe/Atlantis'),
  ]).toEqual([200, 'invalid_period', 'invalid_period', 'validation_error', 'validation_error'])
})
