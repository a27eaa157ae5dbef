import { expect, test } from 'vitest'
import { batchFixes, type DueFix } from './due-fixes.ts'

const fix = (second: number, appliesMode = false): DueFix => ({ second, lat: 0, lng: 0, precision: 5, isMoving: true, appliesMode })
const seconds = (fixes: DueFix[]) => batchFixes('1000000001', fixes).map((batch) => batch.fixes.map(({ second }) => second))

test('fixes are sent in hourly batches; a full hour belongs to the hour that it ends', () =>
  expect(seconds([fix(10), fix(3600), fix(3601), fix(7300)])).toEqual([[10, 3600], [3601], [7300]]))

test('the fix that applies a mode is sent alone', () => expect(seconds([fix(10, true), fix(20), fix(30)])).toEqual([[10], [20, 30]]))

test('a batch contains at most 200 fixes', () =>
  expect(seconds(Array.from({ length: 450 }, (_, index) => fix(index + 1))).map(({ length }) => length)).toEqual([200, 200, 50]))

test('a batch has the time of its last fix', () => expect(batchFixes('1000000001', [fix(10), fix(40)])).toMatchObject([{ second: 40 }]))
