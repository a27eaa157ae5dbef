import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { lackingOf } from './alert.ts'

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
        expect(lackingOf(alert)).toEqual(lacking)
      },
    ),
  ).toEqual([])
})
