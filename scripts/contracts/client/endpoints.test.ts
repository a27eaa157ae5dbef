import { expect, test } from 'vitest'
import { callAt, callNamed, selection } from './endpoints.ts'

test.each([
  ['GET', '/devices/live/', 'positions.live'],
  ['GET', '/devices/17', 'devices.get'],
  ['DELETE', '/devices/17/keys/2/', 'deviceKeys.remove'],
  ['GET', '/devices/trackers/serial_check/', 'serialChecks.read'],
  ['GET', '/users/tracker_prices/', 'subscriptions.prices'],
  ['POST', '/users/tracker_prices/', undefined],
  ['GET', '/devices/1/2/3/', undefined],
])('%s %s means %s', (method, path, name) => expect(callAt(method, path)?.name).toBe(name))

test('an unknown endpoint name throws, because it is a mistake in our code', () =>
  expect(() => callNamed('places.lst')).toThrow('places.lst'))

test.each([
  ['places.list', ['places.list'], ['places.get', 'tags.list']],
  ['places.*', ['places.list', 'places.get'], ['tags.list']],
  ['/users/*', ['orders.list', 'users.me'], ['places.list']],
  ['preflight.*', ['preflight.cors'], ['places.list']],
  [undefined, ['places.list', 'preflight.cors'], []],
])('--only %s', (only, meant, others) => {
  const wants = selection(only)
  expect([meant.every(wants), others.some(wants)]).toEqual([true, false])
})
