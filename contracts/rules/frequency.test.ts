import { expect, test } from 'vitest'
import { emissionMinutes, stationaryFrequency, stationaryWording, updateFrequency, updateWording } from './frequency.ts'

test.each([
  ['tracker_01', null, 1, { min: 10, max: 15 }],
  ['tracker_02', null, 10, { min: 5, max: 7 }],
  ['tracker_03', 'LWT2-07', 3, { min: 5, max: 7 }],
  ['tracker_04', null, 22, { min: 2, max: 2 }],
  ['tracker_06', 'SDC1-A', 21, { min: 60, max: 60 }],
  ['tracker_06', null, 23, { min: 20, max: 30 }],
  ['triby', null, 1, { min: 60, max: 60 }],
  ['triby', null, 2, { min: 10, max: 10 }],
  ['tracker_01', null, 7, { min: 3, max: 3 }],
  ['tracker_06', null, 27, { min: 3, max: 3 }],
  ['tracker_01', null, 4, null],
  ['tracker_01', null, 99, null],
] as const)('R-3.17 %s on board %j in mode %i sends every %j minutes (D-24)', (type, board, mode, range) => {
  expect(updateFrequency(type, board, mode)).toEqual(range)
})

test.each([
  [50, 45, { min: 45, max: 45 }],
  [1, 45, { min: 45, max: 45 }],
  [7, 45, { min: 3, max: 3 }],
  [4, 45, null],
  [50, undefined, null],
])('R-3.17 a configurable tracker in mode %i with frequency %j sends every %j minutes (D-24)', (mode, frequency, range) => {
  expect(updateFrequency('tracker_04', 'SCT2-01', mode, frequency)).toEqual(range)
})

test('R-9.6 a stationary tracker reports every 240 minutes, a configurable one by its keepalive', () => {
  expect(stationaryFrequency()).toEqual({ min: 240, max: 240 })
  expect(stationaryFrequency(1440)).toEqual({ min: 1440, max: 1440 })
})

test.each([
  [60, 60, { key: 'everyHour' }],
  [10, 10, { key: 'everyMinutes', n: 10 }],
  [1, 1, { key: 'everyMinutes', n: 1 }],
  [240, 240, { key: 'everyMinutes', n: 240 }],
  [10, 15, { key: 'everyMinutesRange', n: 10, m: 15 }],
  [60, 120, { key: 'everyMinutesRange', n: 60, m: 120 }],
  [15, 10, { key: 'everyMinutesRange', n: 10, m: 15 }],
])('R-9.17 %i to %i minutes reads %j (W-11)', (min, max, wording) => {
  expect(updateWording({ min, max })).toEqual(wording)
})

test('R-9.17 no frequency reads "no updates" (W-11)', () => {
  expect([updateWording(null), stationaryWording(null)]).toEqual([{ key: 'none' }, { key: 'none' }])
})

test.each([
  [240, { key: 'everyHours', n: 4 }],
  [60, { key: 'everyHour' }],
  [90, { key: 'everyMinutes', n: 90 }],
  [120, { key: 'everyHours', n: 2 }],
  [1440, { key: 'everyHours', n: 24 }],
])('R-9.6 a stationary report each %i minutes reads %j (C-42)', (minutes, wording) => {
  expect(stationaryWording({ min: minutes, max: minutes })).toEqual(wording)
})

test('R-3.17 an emission falls between the bounds', () => {
  expect([0, 0.5, 1].map((share) => emissionMinutes({ min: 10, max: 15 }, share))).toEqual([10, 12.5, 15])
})
