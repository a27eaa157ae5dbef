import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createFilter, getEndpoint } from './endpoints.ts'

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
