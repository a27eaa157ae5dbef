import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#db/db.ts'
import type { PostgresDb } from '#db/postgres/open.ts'
import { postgresPositions } from '#db/postgres/positions.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import {
  findNextStaleSummary,
  isSummaryStale,
  listStaleSummaries,
  listSummaries,
  removeSummary,
  saveSummaries,
} from '#server/tracking/days/day-summaries.store.ts'
import { findObstacle } from './test-statements.ts'

const TRACKER = 'device_id = $1'

test.each([
  [`select * from positions where ${TRACKER} and time > $2`, undefined],
  [`select count(*) from positions where ${TRACKER} union all select sum(count) from position_blocks where ${TRACKER}`, undefined],
  ['select * from devices where id = $1', undefined],
  ['select min("end") from "day_summaries" where "is_stale" = $1', undefined],
  ['insert into positions (device_id, time) select $1::bigint, * from unnest($2::bigint[])', undefined],
  ['with gone as (delete from position_blocks where device_id = $1) delete from positions where device_id = $1', undefined],
  ['select * from positions join devices on devices.id = device_id where device_id = $1', 'reads devices as well'],
  ['delete from positions where time < $1', 'names its tracker 0 times for 1 uses of tables'],
  ['select * from positions join position_blocks using (device_id)', 'reads several tables of all trackers'],
  ['with a as (delete from positions where device_id = $1) delete from position_blocks where device_id = $2', 'names several trackers'],
])('a cluster %s: %s', (text, obstacle) => {
  expect(findObstacle(text)).toBe(obstacle)
})

const DAY = 86_400
const START = Date.UTC(2025, 8, 3) / 1000
const at = (time: number) => ({ time, lat: 1, lng: 2, precision: 3, event: null, battery: 50 })
const trackers = { id: 1, other: 2 }

let db: PostgresDb
const statements = new Set<string>()
beforeAll(async () => {
  db = await openTestDatabase('family')
  const watched = new WeakSet<object>()
  db.connections.pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      statements.add(typeof first === 'string' ? first : first.text)
      return query(first, ...rest)
    }) as typeof client.query
  })
})
afterAll(() => db.close())

test('every statement of positions, blocks and totals of days names one tracker, and changes no other table', async () => {
  const positions = postgresPositions(db.connections, { isDistributed: true })
  const change = <T>(work: (tx: Tx) => Promise<T>) => db.write('everything', work)
  const { id, other } = trackers
  const end = START + 3 * DAY
  const rows = Array.from({ length: 1200 }, (_, nth) => at(START + nth * 60))
  expect(
    await change((tx) =>
      positions.addAll(tx, [
        { deviceId: id, rows },
        { deviceId: other, rows: [at(START)] },
      ]),
    ),
  ).toEqual([1200, 1])
  expect(await change((tx) => positions.addNew(tx, id, [at(START), at(START + 1)]))).toEqual([START + 1])
  const summary = {
    meters: 1,
    movingSeconds: 1,
    topSpeed: 1,
    trips: 0,
    stops: 0,
    longestStopSeconds: 0,
    positions: 1,
    firstTime: null,
    lastTime: null,
    sketches: null,
    isStale: false,
  }
  const day = { deviceId: id, start: START, end: START + DAY }
  await change((tx) => saveSummaries(tx, [{ ...day, ...summary }]))
  expect(await change((tx) => positions.mark(tx, id, START, 1))).toBe(true)
  expect(await change((tx) => isSummaryStale(tx, day))).toBe(true)
  expect(await db.packPositions!({ endedBy: new Date((START + 40 * DAY) * 1000), goesOn: () => true, most: 1e6 })).toBeGreaterThan(1000)
  expect(await change((tx) => positions.addAll(tx, [{ deviceId: id, rows: [at(START + 61)] }]))).toEqual([1])
  await change((tx) => positions.setEvent(tx, id, START + 60, 1))
  expect(await change((tx) => positions.judge(tx, id, START, end, 2))).toBeGreaterThan(1000)
  await change((tx) => positions.removeAt(tx, id, [START + 120]))
  for (const reads of [positions, positions.believed]) {
    await reads.range(id, START, end, 10, 600)
    await reads.count(id, START, end)
    await reads.latest(id, START, end)
  }
  await positions.columns(id, START, end, 10)
  await positions.oldest(id)
  await positions.neighbours(id, [START])
  await change(async (tx) => {
    await positions.rangeInTx(tx, id, START, end, 10)
    await positions.latestInTx(tx, id, end)
    await positions.neighboursInTx(tx, id, [START])
    await positions.changes(tx, id)
  })
  await listSummaries(db.read, id, { start: START, end })
  await listStaleSummaries(db.read, new Date(end * 1000))
  await findNextStaleSummary(db.read, new Date(0))
  await change((tx) => removeSummary(tx, day))
  expect(await change((tx) => positions.removeUntil(tx, id, START + 600, 5))).toBe(5)
  await change((tx) => positions.remove(tx, id))

  const obstacles = [...statements].flatMap((text) => findObstacle(text) ?? [])
  expect(statements.size).toBeGreaterThan(30)
  expect(obstacles).toEqual([])
})
