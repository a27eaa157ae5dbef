import { expect, test } from 'vitest'
import { lackingOf } from './alert.ts'

test.each([
  ['a place and a trigger', { place: 1, trigger: 'enter', vehicle_alert: false }, []],
  ['no place', { place: null, trigger: 'leave', vehicle_alert: false }, ['place']],
  ['no trigger', { place: 1, trigger: null, vehicle_alert: false }, ['trigger']],
  ['nothing to watch', { place: null, trigger: null, vehicle_alert: false }, ['place', 'trigger']],
  ['a vehicle alert alone', { place: null, trigger: null, vehicle_alert: true }, []],
  ['a vehicle alert and a border', { place: 1, trigger: 'enter', vehicle_alert: true }, []],
  ['a vehicle alert and half a border', { place: 1, trigger: null, vehicle_alert: true }, ['trigger']],
] as const)('R-3.36 R-3.37 an alert with %s lacks what it lacks', (_, alert, lacking) => {
  expect(lackingOf(alert)).toEqual(lacking)
})
