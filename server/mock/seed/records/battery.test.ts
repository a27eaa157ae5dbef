import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { batteryLevel } from './battery.ts'

const DAY = 86_400

test('a battery has its planned level at the anchor', async () => {
  const rows = [
    ['tracker_06', 85],
    ['tracker_02', 3650],
    ['tracker_04', -1],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([type, charge]) => expect(batteryLevel(type, charge, 0)).toBe(charge),
    ),
  ).toEqual([])
})

test('a battery drains, is recharged and stays within its range', () => {
  expect(batteryLevel('tracker_01', 62, -2 * DAY)).toBe(65)
  expect(batteryLevel('tracker_01', 62, 2 * DAY)).toBe(59)
  for (let day = -60; day < 60; day++) {
    expect(batteryLevel('tracker_01', 62, day * DAY)).toBeGreaterThanOrEqual(22)
    expect(batteryLevel('tracker_01', 62, day * DAY)).toBeLessThanOrEqual(100)
  }
})

test('a battery that is low at the anchor is recharged ten days later', () => {
  expect(batteryLevel('tracker_02', 3300, 5 * DAY)).toBe(3230)
  expect(batteryLevel('tracker_02', 3300, 11 * DAY)).toBeGreaterThan(4000)
})
