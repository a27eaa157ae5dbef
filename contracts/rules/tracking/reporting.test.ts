import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  currentNetworkState,
  emissionMinutes,
  frequencyWording,
  movingFrequency,
  silenceStart,
  stationaryFrequency,
  stationaryWording,
} from './reporting.ts'

test('R-3.17 type and mode of a tracker determine the minutes between updates', async () => {
  expect(
    await collectFailures(
      [
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
      ] as const,
      JSON.stringify,
      ([type, board, mode, range]) => {
        expect(movingFrequency(type, board, mode)).toEqual(range)
      },
    ),
  ).toEqual([])
})

test('R-3.17 a configurable tracker sends updates at its own frequency, except in lost and plane mode', async () => {
  expect(
    await collectFailures(
      [
        [50, 45, { min: 45, max: 45 }],
        [1, 45, { min: 45, max: 45 }],
        [7, 45, { min: 3, max: 3 }],
        [4, 45, null],
        [50, undefined, null],
      ] as const,
      JSON.stringify,
      ([mode, frequency, range]) => {
        expect(movingFrequency('tracker_04', 'SCT2-01', mode, frequency)).toEqual(range)
      },
    ),
  ).toEqual([])
})

test('R-9.6 a stationary tracker reports every 240 minutes, a configurable one at its keepalive period', () => {
  expect(stationaryFrequency()).toEqual({ min: 240, max: 240 })
  expect(stationaryFrequency(1440)).toEqual({ min: 1440, max: 1440 })
})

test('R-9.17 a frequency is shown as every hour, every n minutes or every n to m minutes', async () => {
  expect(
    await collectFailures(
      [
        [60, 60, { key: 'everyHour' }],
        [10, 10, { key: 'everyMinutes', n: 10 }],
        [1, 1, { key: 'everyMinutes', n: 1 }],
        [240, 240, { key: 'everyMinutes', n: 240 }],
        [10, 15, { key: 'everyMinutesRange', n: 10, m: 15 }],
        [60, 120, { key: 'everyMinutesRange', n: 60, m: 120 }],
        [15, 10, { key: 'everyMinutesRange', n: 10, m: 15 }],
      ] as const,
      JSON.stringify,
      ([min, max, wording]) => {
        expect(frequencyWording({ min, max })).toEqual(wording)
      },
    ),
  ).toEqual([])
})

test('R-9.17 without a frequency the text is "no updates"', () => {
  expect([frequencyWording(null), stationaryWording(null)]).toEqual([{ key: 'none' }, { key: 'none' }])
})

test('R-9.6 a stationary report is shown in whole hours where possible', async () => {
  expect(
    await collectFailures(
      [
        [240, { key: 'everyHours', n: 4 }],
        [60, { key: 'everyHour' }],
        [90, { key: 'everyMinutes', n: 90 }],
        [120, { key: 'everyHours', n: 2 }],
        [1440, { key: 'everyHours', n: 24 }],
      ] as const,
      JSON.stringify,
      ([minutes, wording]) => {
        expect(stationaryWording({ min: minutes, max: minutes })).toEqual(wording)
      },
    ),
  ).toEqual([])
})

test('R-3.17 the next emission lies between the bounds', () => {
  expect([0, 0.5, 1].map((share) => emissionMinutes({ min: 10, max: 15 }, share))).toEqual([10, 12.5, 15])
})

const now = new Date('2026-06-01T00:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('R-4.9 more than 90 days of silence deactivate the network, and nothing reactivates it', async () => {
  expect(
    await collectFailures(
      [
        [0, 'active', 'active'],
        [90, 'active', 'active'],
        [90.001, 'active', 'deactivated'],
        [120, 'active', 'deactivated'],
        [120, 'deactivated', 'deactivated'],
        [0, 'deactivated', 'deactivated'],
      ] as const,
      String,
      ([days, stored, state]) => {
        expect(currentNetworkState(daysAgo(days), stored, now)).toBe(state)
      },
    ),
  ).toEqual([])
})

test('R-4.9 a tracker that never sent a message is not deactivated', () => {
  expect(currentNetworkState(null, 'active', now)).toBe('active')
})

test('silence counts from the last message or from a later reactivation', async () => {
  expect(
    await collectFailures(
      [
        [120, null, 120],
        [120, 30, 30],
        [5, 30, 5],
        [null, 30, 30],
      ] as const,
      JSON.stringify,
      ([heard, activated, since]) => {
        const dates = {
          lastMessageAt: heard === null ? null : daysAgo(heard),
          networkActivatedAt: activated === null ? null : daysAgo(activated),
        }
        expect(silenceStart(dates)).toEqual(daysAgo(since))
      },
    ),
  ).toEqual([])
})

test('a tracker without a message and a reactivation is not silent', () => {
  expect(silenceStart({ lastMessageAt: null, networkActivatedAt: null })).toBeNull()
})
