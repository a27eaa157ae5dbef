import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  batteryDisplay,
  batteryFraction,
  DEVICE_TYPES,
  displayType,
  isBatteryReading,
  isSct2Board,
  OPERATORS,
  usualBoard,
  usualOperator,
} from './tracker.ts'

test('R-3.20 R-1.6 a board name starting with SCT2 or LWT2 determines the displayed type', async () => {
  expect(
    await collectFailures(
      [
        ['SCT2-01', 'sct2'],
        ['SCT2', 'sct2'],
        ['LWT2-07', 'lwt2'],
        ['XSCT2', 'tracker_04'],
        ['sct2', 'tracker_04'],
        [' SCT2', 'tracker_04'],
        ['LWT1', 'tracker_04'],
        ['', 'tracker_04'],
        [null, 'tracker_04'],
        [undefined, 'tracker_04'],
      ] as const,
      JSON.stringify,
      ([board_name, shown]) => {
        expect(displayType({ type: 'tracker_04', tracker_config: { board_name } })).toBe(shown)
        expect(isSct2Board(board_name)).toBe(shown === 'sct2')
      },
    ),
  ).toEqual([])
})

test('R-3.20 a tracker without configuration displays its own type', () => {
  expect(displayType({ type: 'triby' })).toBe('triby')
  expect(displayType({ type: 'tracker_06', tracker_config: null })).toBe('tracker_06')
})

test('R-3.1 every type has a board that displays as this type, and a known network', async () => {
  expect(
    await collectFailures(DEVICE_TYPES, String, (type) => {
      expect(displayType({ type, tracker_config: { board_name: usualBoard(type) } })).toBe(type)
      expect(OPERATORS).toContain(usualOperator(type))
    }),
  ).toEqual([])
})

test('R-3.11 only a triby has no tracker network', () => {
  expect(DEVICE_TYPES.filter((type) => usualOperator(type) === 'none')).toEqual(['triby'])
})

test('R-3.25 R-3.26 R-3.27 a battery is displayed in mV for tracker_02, in percent otherwise, or as unknown', async () => {
  expect(
    await collectFailures(
      [
        ['R-3.25', 'tracker_02', 3650, { unit: 'mV', value: 3650 }],
        ['R-3.25', 'tracker_02', 0, { unit: 'mV', value: 0 }],
        ['R-3.26', 'tracker_01', 85, { unit: 'percent', value: 85 }],
        ['R-3.26', 'tracker_01', 0, { unit: 'percent', value: 0 }],
        ['R-3.27', 'tracker_02', -1, { unit: 'unknown' }],
        ['R-3.27', 'tracker_01', -5, { unit: 'unknown' }],
        ['R-3.27', 'triby', null, { unit: 'unknown' }],
        ['R-3.27', 'tracker_06', undefined, { unit: 'unknown' }],
        ['R-3.27', 'tracker_06', Number.NaN, { unit: 'unknown' }],
      ] as const,
      ([, type, value]) => `${type} ${value}`,
      ([, type, value, display]) => {
        expect(batteryDisplay(type, value)).toEqual(display)
      },
    ),
  ).toEqual([])
})

test('R-2.57 the charge is a fraction of 100 % or of 3000 to 4200 mV', async () => {
  expect(
    await collectFailures(
      [
        ['tracker_01', 50, 0.5],
        ['tracker_01', 120, 1],
        ['tracker_02', 3000, 0],
        ['tracker_02', 3600, 0.5],
        ['tracker_02', 4200, 1],
        ['tracker_02', 2900, 0],
        ['tracker_02', 4350, 1],
        ['tracker_02', -1, null],
      ] as const,
      String,
      ([type, value, fraction]) => {
        expect(batteryFraction(type, value)).toBe(fraction)
      },
    ),
  ).toEqual([])
})

test.each([
  ['tracker_01', [-1, 0, 62.5, 100], [-2, 100.5, 3650]],
  ['tracker_06', [-1, 100], [-1.5, 101]],
  ['tracker_02', [-1, 0, 3650, 10_000], [-2, 10_001]],
] as const)('R-3.23 the battery of a %s accepts only readings in its range', (type, sane, senseless) => {
  expect(sane.map((value) => isBatteryReading(type, value))).not.toContain(false)
  expect(senseless.map((value) => isBatteryReading(type, value))).not.toContain(true)
})
