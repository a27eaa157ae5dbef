import { expect, test } from 'vitest'
import { speedKmh, speeds } from './speeds.ts'

const at = (seconds: number, meters: number) => ({ lat: meters / 111_195.08, lng: 0, datetime: seconds * 1000, precision: 5 })

test.each([
  [60, 1000, 60],
  [3600, 5000, 5],
  [60, 0, 0],
  [0, 1000, 0],
  [-60, 1000, 0],
])('R-1.8 in %i s over %i m the speed is %i km/h', (seconds, meters, speed) => {
  expect(speedKmh(at(0, 0), at(seconds, meters))).toBeCloseTo(speed, 3)
})

test('R-1.8 each fix has the speed with which it was reached', () => {
  expect(speeds([at(0, 0), at(60, 1000), at(120, 1500)]).map(Math.round)).toEqual([0, 60, 30])
  expect(speeds([])).toEqual([])
})
