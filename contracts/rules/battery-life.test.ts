import { expect, test } from 'vitest'
import { batteryLife } from './battery-life.ts'

test.each([
  [1, 1, 3],
  [2, 1, 6],
  [5, 4, 13],
  [10, 7, 24],
  [15, 10, 33],
  [30, 19, 54],
  [60, 33, 78],
  [120, 54, 100],
  [180, 68, 111],
])('R-9.11 R-9.12 an update every %i minutes lasts %i to %i months (W-1)', (frequency, min, max) => {
  expect(batteryLife(frequency)).toEqual({ min, max })
})

test.each([0, 181, 1.5, -60, Number.NaN])('R-9.12 an invalid frequency %d has no battery life (C-08)', (frequency) => {
  expect(batteryLife(frequency)).toBeNull()
})
