import { expect, test } from 'vitest'
import { isBatteryLow } from './low-battery.ts'

test.each([
  ['tracker_01', 14, null, true],
  ['tracker_01', 15, null, false],
  ['tracker_01', 29, 30, true],
  ['tracker_01', 10, 5, false],
  ['tracker_01', -1, null, false],
  ['tracker_01', null, 50, false],
  ['tracker_02', 3299, null, true],
  ['tracker_02', 3500, 3600, true],
] as const)('a %s with a battery at %s and the threshold %s has a low battery: %s', (type, level, threshold, isLow) => {
  expect(isBatteryLow(type, level, threshold)).toBe(isLow)
})
