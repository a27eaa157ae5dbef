import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { speedKmh, speeds } from './speeds.ts'

const at = (seconds: number, meters: number) => ({ lat: meters / 111_195.08, lng: 0, datetime: seconds * 1000, precision: 5 })

test('R-1.8 the speed is distance by time, and 0 without elapsed time', async () => {
  expect(
    await collectFailures(
      [
        [60, 1000, 60],
        [3600, 5000, 5],
        [60, 0, 0],
        [0, 1000, 0],
        [-60, 1000, 0],
      ] as const,
      String,
      ([seconds, meters, speed]) => {
        expect(speedKmh(at(0, 0), at(seconds, meters))).toBeCloseTo(speed, 3)
      },
    ),
  ).toEqual([])
})

test('R-1.8 each fix has the speed at which it was reached', () => {
  expect(speeds([at(0, 0), at(60, 1000), at(120, 1500)]).map(Math.round)).toEqual([0, 60, 30])
  expect(speeds([])).toEqual([])
})
