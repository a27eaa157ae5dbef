import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createFilter, findEndpoint, getEndpoint } from './endpoints.ts'

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

test('an unknown endpoint name throws, because it is a mistake in our code', () =>
  expect(() => getEndpoint('places.lst')).toThrow('places.lst'))

const FILTERS: [only: string | undefined, selected: string[], others: string[]][] = [
  ['places.list', ['places.list'], ['places.get', 'tags.list']],
  ['places.*', ['places.list', 'places.get'], ['tags.list']],
  ['/users/*', ['orders.list', 'users.me'], ['places.list']],
  ['preflight.*', ['preflight.cors'], ['places.list']],
  [undefined, ['places.list', 'preflight.cors'], []],
]

test('--only selects endpoints and preflight checks by name or path', async () => {
  expect(
    await collectFailures(
      FILTERS,
      ([only]) => String(only),
      ([only, selected, others]) => {
        const isSelected = createFilter(only)
        expect([selected.filter(isSelected), others.filter(isSelected)]).toEqual([selected, []])
      },
    ),
  ).toEqual([])
})
