import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, migrate, openDb } from '#db/sqlite/open.ts'
import { fromFixed7, type PositionRow, type PositionStore, positionStore, toFixed7 } from './positions.ts'

let db: Db
let store: PositionStore
beforeEach(() => {
  db = openDb(':memory:')
  migrate(db)
  store = positionStore(db)
})
afterEach(() => db.close())

const row = (time: number): PositionRow => ({ time, lat: toFixed7(-34.9), lng: toFixed7(-56.2), precision: 6, event: null, battery: 80 })

test('a fix is read back as it was written', () => {
  expect(store.add(1, { ...row(100), event: 3 })).toBe(true)
  expect(store.range(1, 0, 200, 10, 0)).toEqual([{ ...row(100), event: 3 }])
})

test('D-33 a second fix of the same second is not new', () => {
  store.add(1, row(100))
  expect(store.add(1, { ...row(100), battery: 1 })).toBe(false)
  expect(store.latest(1, 0, 200)).toEqual(row(100))
})

test('a period is read oldest first, both ends included, in pages', () => {
  for (const time of [50, 10, 40, 20, 30]) store.add(1, row(time))
  store.add(2, row(25))
  expect(store.range(1, 20, 40, 10, 0).map(({ time }) => time)).toEqual([20, 30, 40])
  expect(store.range(1, 0, 100, 2, 2).map(({ time }) => time)).toEqual([30, 40])
  expect(store.count(1, 20, 40)).toBe(3)
  expect(store.oldest(1)).toBe(10)
  expect(store.latest(1, 0, 45)?.time).toBe(40)
})

test('where nothing is known the answer is nothing', () => {
  expect(store.latest(9, 0, 100)).toBeNull()
  expect(store.oldest(9)).toBeNull()
  expect(store.range(9, 0, 100, 10, 0)).toEqual([])
})

test("a tracker's fixes are removed without touching another's", () => {
  store.add(1, row(1))
  store.add(2, row(1))
  store.remove(1)
  expect([store.count(1, 0, 9), store.count(2, 0, 9)]).toEqual([0, 1])
})

test.each([0, -34.9054321, 180, -180, 89.9999999])('%d degrees are kept to the seventh digit', (degrees) => {
  expect(fromFixed7(toFixed7(degrees))).toBeCloseTo(degrees, 7)
})
