import { expect, test } from 'vitest'
import { batteryDisplay, batteryFraction, isBatteryReading } from './battery.ts'

test.each([
  ['R-3.25', 'tracker_02', 3650, { unit: 'mV', value: 3650 }],
  ['R-3.25', 'tracker_02', 0, { unit: 'mV', value: 0 }],
  ['R-3.26', 'tracker_01', 85, { unit: 'percent', value: 85 }],
  ['R-3.26', 'tracker_01', 0, { unit: 'percent', value: 0 }],
  ['R-3.27', 'tracker_02', -1, { unit: 'unknown' }],
  ['R-3.27', 'tracker_01', -5, { unit: 'unknown' }],
  ['R-3.27', 'triby', null, { unit: 'unknown' }],
  ['R-3.27', 'tracker_06', undefined, { unit: 'unknown' }],
  ['R-3.27', 'tracker_06', Number.NaN, { unit: 'unknown' }],
] as const)('%s %s at %j displays %j (W-14)', (_row, type, value, display) => {
  expect(batteryDisplay(type, value)).toEqual(display)
})

test.each([
  ['tracker_01', 50, 0.5],
  ['tracker_01', 120, 1],
  ['tracker_02', 3000, 0],
  ['tracker_02', 3600, 0.5],
  ['tracker_02', 4200, 1],
  ['tracker_02', 2900, 0],
  ['tracker_02', 4350, 1],
  ['tracker_02', -1, null],
] as const)('R-2.57 %s at %j is %j full (D-23)', (type, value, fraction) => {
  expect(batteryFraction(type, value)).toBe(fraction)
})

test.each([
  ['tracker_01', [-1, 0, 62.5, 100], [-2, 100.5, 3650]],
  ['tracker_06', [-1, 100], [-1.5, 101]],
  ['tracker_02', [-1, 0, 3650, 10_000], [-2, 10_001]],
] as const)('R-3.23 what the battery of a %s can read', (type, sane, senseless) => {
  expect(sane.map((value) => isBatteryReading(type, value))).not.toContain(false)
  expect(senseless.map((value) => isBatteryReading(type, value))).not.toContain(true)
})
