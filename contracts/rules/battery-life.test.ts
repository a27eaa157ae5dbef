import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { batteryLife } from './battery-life.ts'

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
