import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDb } from '#server/test/test-database.ts'
import type { Db } from './db.ts'
import { fromFixed7, type PositionRow, toFixed7 } from './positions.ts'

let db: Db
beforeEach(async () => {
  db = await openTestDb('empty')
})
afterEach(() => db.close())

const row = (time: number): PositionRow => ({
  time,
  lat: toFixed7(-34.9),
  lng: toFixed7(-56.2),
  precision: 6,
  event: null,
  battery: 80,
  speed: null,
  course: null,
  altitude: null,
  mark: null,
})
const add = (deviceId: number, ...rows: PositionRow[]) => db.write('everything', (tx) => db.positions.add(tx, deviceId, rows))

test('a stored fix is read back unchanged', async () => {
  const fix = { ...row(100), event: 3, speed: 1349, course: 270, altitude: -12, mark: 2 }
  expect(await add(1, fix)).toBe(1)
  expect(await db.positions.range(1, 0, 200, 10, 0)).toEqual([fix])
})

test('of two fixes of the same second only the first is stored', async () => {
  await add(1, row(100))
  expect(await add(1, { ...row(100), battery: 1 }, row(101), { ...row(101), battery: 2 })).toBe(1)
  expect(await db.positions.range(1, 0, 200, 10, 0)).toEqual([row(100), row(101)])
})

test('the event of a stored fix is replaced, and a missing fix is not created', async () => {
  await add(1, row(100), row(101))
  await db.write('everything', async (tx) => {
    await db.positions.setEvent(tx, 1, 101, 7)
    await db.positions.setEvent(tx, 1, 102, 7)
  })
  expect(await db.positions.range(1, 0, 200, 10, 0)).toEqual([row(100), { ...row(101), event: 7 }])
})

test('the seconds of new fixes are returned, each once', async () => {
  await add(1, row(100))
  const times = await db.write('everything', (tx) => db.positions.addNew(tx, 1, [row(101), row(100), row(101), row(102)]))
  expect(times.sort()).toEqual([101, 102])
})

test('fixes of several trackers are added together, in order, and each batch counts those that were new', async () => {
  await add(1, row(100))
  const batches = [
    { deviceId: 1, rows: [row(100), row(101), { ...row(101), battery: 1 }] },
    { deviceId: 2, rows: [row(100)] },
    { deviceId: 1, rows: [{ ...row(101), battery: 2 }, row(102)] },
  ]
  const before = await db.write('everything', (tx) => db.positions.changes(tx, 2))
  expect(await db.write('everything', (tx) => db.positions.addAll(tx, batches))).toEqual([1, 1, 1])
  expect(await db.positions.range(1, 0, 200, 10, 0)).toEqual([row(100), row(101), row(102)])
  expect(await db.positions.range(2, 0, 200, 10, 0)).toEqual([row(100)])
  expect(await db.write('everything', (tx) => db.positions.changes(tx, 2))).not.toBe(before)
  expect(await db.write('everything', (tx) => db.positions.addAll(tx, batches))).toEqual([0, 0, 0])
  expect(await db.write('everything', (tx) => db.positions.addAll(tx, []))).toEqual([])
})

test('a period is read oldest first, both ends included, in pages', async () => {
  await add(1, ...[50, 10, 40, 20, 30].map(row))
  await add(2, row(25))
  const { range, count, oldest, latest } = db.positions
  expect((await range(1, 20, 40, 10, 0)).map(({ time }) => time)).toEqual([20, 30, 40])
  expect((await range(1, 0, 100, 2, 2)).map(({ time }) => time)).toEqual([30, 40])
  expect(await count(1, 20, 40)).toBe(3)
  expect(await oldest(1)).toBe(10)
  expect((await latest(1, 0, 45))?.time).toBe(40)
})

test('reading a period by column returns the same as reading it by row', async () => {
  const rows = [10, 20, 30, 40].map((time) => ({
    ...row(time),
    lng: -time,
    event: time === 20 ? 3 : null,
    battery: time === 30 ? null : time,
  }))
  await add(1, ...rows.toReversed())
  const { time, ...others } = await db.positions.columns(1, 20, 40, 2)
  const byColumn = time.map((at, index) => ({
    time: at,
    ...Object.fromEntries(Object.entries(others).map(([name, all]) => [name, all[index]])),
  }))
  expect(byColumn).toEqual(await db.positions.range(1, 20, 40, 2, 0))
  expect(time).toEqual([20, 30])
  expect((await db.positions.columns(9, 0, 100, 10)).battery).toEqual([])
})

test('a tracker without fixes has an empty period and neither a latest nor an oldest fix', async () => {
  expect(await db.positions.latest(9, 0, 100)).toBeNull()
  expect(await db.positions.oldest(9)).toBeNull()
  expect(await db.positions.range(9, 0, 100, 10, 0)).toEqual([])
})

test("removing a tracker's fixes leaves those of other trackers", async () => {
  await add(1, row(1))
  await add(2, row(1))
  await db.write('everything', (tx) => db.positions.remove(tx, 1))
  expect([await db.positions.count(1, 0, 9), await db.positions.count(2, 0, 9)]).toEqual([0, 1])
})

test('fixes are deleted by their seconds, and only those of the tracker', async () => {
  for (const id of [1, 2]) for (const time of [1, 2, 3]) await add(id, row(time))
  await db.write('everything', (tx) => db.positions.removeAt(tx, 1, [1, 3, 7]))
  expect((await db.positions.range(1, 0, 9, 9, 0)).map(({ time }) => time)).toEqual([2])
  expect(await db.positions.count(2, 0, 9)).toBe(3)
})

test('fixes of a failed transaction are not stored', async () => {
  const failing = db.write('everything', async (tx) => {
    await db.positions.add(tx, 1, [row(1)])
    throw new Error('half way')
  })
  await expect(failing).rejects.toThrow('half way')
  expect(await db.positions.count(1, 0, 9)).toBe(0)
})

test('fixes can only be written inside a transaction', async () => {
  const tx = await db.write('everything', async (ended) => ended)
  await expect(db.positions.add(tx, 1, [row(1)])).rejects.toThrow('inside db.write')
  await expect(db.positions.remove(tx, 1)).rejects.toThrow('inside db.write')
})

test.each([0, -34.9054321, 180, -180, 89.9999999])('%d degrees are stored with seven decimals', (degrees) => {
  expect(fromFixed7(toFixed7(degrees))).toBeCloseTo(degrees, 7)
})
