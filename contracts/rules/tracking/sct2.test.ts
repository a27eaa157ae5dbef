import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { batteryLife, isSct2Valid, parseWholeNumber, sct2Faults } from './sct2.ts'

const valid = { frequency: 60, keepalive_period: 1440, temp_uplink_slices_duration: 2, temp_slice_duration: 60 }

test('R-5.14 the seeded parameters are valid', () => {
  expect(isSct2Valid(valid)).toBe(true)
  expect(sct2Faults(valid)).toEqual([])
})

test('R-5.14 R-5.15 R-5.16 R-5.17 each parameter is accepted within its range and rejected outside', async () => {
  expect(
    await collectFailures(
      [
        ['R-5.14', 'frequency', [1, 180], [0, 181, 1.5, '', '10a', '60', Number.NaN, Number.POSITIVE_INFINITY, null, undefined, -1]],
        ['R-5.15', 'keepalive_period', [1, 1440], [0, 1441, 2.5, '240', null, undefined]],
        ['R-5.16', 'temp_uplink_slices_duration', [2], [1, 3, '2', null, undefined]],
        ['R-5.17', 'temp_slice_duration', [60, 720], [61, 0, 120, '60', null, undefined]],
      ] as const,
      ([, field]) => field,
      ([, field, good, bad]) => {
        for (const value of good) expect(isSct2Valid({ ...valid, [field]: value }), String(value)).toBe(true)
        for (const value of bad) {
          expect(isSct2Valid({ ...valid, [field]: value }), String(value)).toBe(false)
          expect(sct2Faults({ ...valid, [field]: value })).toEqual([field])
        }
      },
    ),
  ).toEqual([])
})

test('R-4.32 every invalid parameter is listed, in the order of the form', () => {
  expect(sct2Faults({})).toEqual(Object.keys(valid))
})

test('R-5.14 a whole number consists of typed digits only', async () => {
  expect(
    await collectFailures(
      [
        ['60', 60],
        [' 60 ', 60],
        ['007', 7],
        ['0', 0],
        ['181', 181],
        ['1.5', null],
        ['1e2', null],
        ['10a', null],
        ['-5', null],
        ['+5', null],
        ['0x10', null],
        ['6 0', null],
        ['６０', null],
        ['', null],
        [' ', null],
        ['9'.repeat(16), null],
      ] as const,
      JSON.stringify,
      ([text, number]) => {
        expect(parseWholeNumber(text)).toBe(number)
      },
    ),
  ).toEqual([])
})

test('R-9.11 R-9.12 battery life grows with the minutes between updates as specified', async () => {
  expect(
    await collectFailures(
      [
        [1, 1, 3],
        [2, 1, 6],
        [5, 4, 13],
        [10, 7, 24],
        [15, 10, 33],
        [30, 19, 54],
        [60, 33, 78],
        [120, 54, 100],
        [180, 68, 111],
      ] as const,
      String,
      ([frequency, min, max]) => {
        expect(batteryLife(frequency)).toEqual({ min, max })
      },
    ),
  ).toEqual([])
})

test('R-9.12 an invalid frequency has no battery life', async () => {
  expect(
    await collectFailures([0, 181, 1.5, -60, Number.NaN] as const, String, (frequency) => {
      expect(batteryLife(frequency)).toBeNull()
    }),
  ).toEqual([])
})
