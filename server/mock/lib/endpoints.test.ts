import { expect, test } from 'vitest'
import { findEndpoint } from './endpoints.ts'

test('an endpoint is found by method and path, with or without the final slash', () => {
  const requests = {
    'GET /devices/live/': 'positions.live',
    'GET /devices/17': 'devices.get',
    'DELETE /devices/17/keys/2/': 'deviceKeys.remove',
    'GET /devices/trackers/serial_check/': 'serialChecks.read',
    'GET /users/tracker_prices/': 'subscriptions.prices',
    'POST /users/tracker_prices/': undefined,
    'GET /devices/1/2/3/': undefined,
  }
  const nameOf = (request: string) => findEndpoint(...(request.split(' ') as [string, string]))?.name
  expect(Object.fromEntries(Object.keys(requests).map((request) => [request, nameOf(request)]))).toEqual(requests)
})
