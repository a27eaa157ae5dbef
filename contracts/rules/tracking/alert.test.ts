import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { findMissingParts, firesVehicleAlert, hasStartedMoving, isBatteryLow, supportsVehicleAlert } from './alert.ts'
import { KINDS } from './tracker.ts'

test('R-3.36 R-3.37 an alert needs both a place and a trigger, or is a vehicle alert without either', async () => {
  expect(
    await collectFailures(
      [
        ['a place and a trigger', { place: 1, trigger: 'enter', vehicle_alert: false }, []],
        ['no place', { place: null, trigger: 'leave', vehicle_alert: false }, ['place']],
        ['no trigger', { place: 1, trigger: null, vehicle_alert: false }, ['trigger']],
        ['nothing to watch', { place: null, trigger: null, vehicle_alert: false }, ['place', 'trigger']],
        ['a vehicle alert alone', { place: null, trigger: null, vehicle_alert: true }, []],
        ['a vehicle alert and a border', { place: 1, trigger: 'enter', vehicle_alert: true }, []],
        ['a vehicle alert and half a border', { place: 1, trigger: null, vehicle_alert: true }, ['trigger']],
      ] as const,
      ([words]) => words,
      ([, alert, lacking]) => {
        expect(findMissingParts(alert)).toEqual(lacking)
      },
    ),
  ).toEqual([])
})

const at = new Date('2026-03-01T12:00:00Z')

test('R-3.38 only a vehicle that stood for 8 minutes and now moves fires the alert', async () => {
  expect(
    await collectFailures(
      [
        ['stood for 8 minutes', '2026-03-01T11:52:00Z', null, true],
        ['stood for a day', '2026-02-28T12:00:00Z', null, true],
        ['stood for 7 minutes, which is moving', '2026-03-01T11:53:00Z', null, false],
        ['was moving', null, null, false],
        ['still stands', '2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z', false],
        ['has just stopped', null, '2026-03-01T11:59:00Z', false],
      ] as const,
      ([words]) => words,
      ([, before, after, fires]) => {
        expect(hasStartedMoving(before && Date.parse(before), after && Date.parse(after), at.getTime())).toBe(fires)
      },
    ),
  ).toEqual([])
})

test('R-3.38 only vehicles and bikes can have the vehicle alert', () => {
  expect(KINDS.filter(supportsVehicleAlert)).toEqual(['bike', 'vehicle'])
})

test('vehicle alerts fire in alert modes and in modes without levels', async () => {
  expect(
    await collectFailures(
      [
        ['with the alert', [8, 10, 9], true],
        ['without it', [1, 3, 2, 21, 23, 22], false],
        ['without levels', [4, 7, 27, 50], true],
        ['unknown', [99], false],
      ] as const,
      ([words]) => words,
      ([, modes, expected]) => {
        for (const mode of modes) expect(firesVehicleAlert(mode)).toBe(expected)
      },
    ),
  ).toEqual([])
})

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
