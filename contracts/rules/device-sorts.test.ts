import { expect, test } from 'vitest'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { deviceSorts, type Sortable } from './device-sorts.ts'

type Sample = Partial<Sortable['tracker_status']> & { name?: string; type?: Sortable['type'] }

const device = (id: number, { name = 'x', type = 'tracker_01', ...status }: Sample): Sortable => ({
  id,
  name,
  type,
  tracker_status: { battery: null, last_event: null, stationary_since: null, ...status },
})
const order = (sort: DeviceSort, samples: Sample[], locale = 'en') =>
  samples
    .map((sample, index) => device(index, sample))
    .sort(deviceSorts(locale)[sort])
    .map(({ id }) => id)

test('R-2.57 sorting by battery puts the lowest charge first, comparing mV within 3000 to 4200, unknown last', () => {
  const samples: Sample[] = [
    { battery: 60 },
    { battery: -1 },
    { battery: 3600, type: 'tracker_02' },
    { battery: 0 },
    { battery: 4300, type: 'tracker_02' },
    { battery: 99 },
    { battery: null },
  ]
  expect(order('battery', samples)).toEqual([3, 2, 0, 5, 4, 1, 6])
})

test('R-2.57 sorting by last event puts the newest first, trackers without any last', () => {
  const at = (datetime: string): Sample => ({ last_event: { datetime } })
  expect(order('lastEvent', [{}, at('2026-03-01T08:00:00Z'), at('2026-03-01T09:00:00Z'), at('2025-03-01T09:00:00Z')])).toEqual([2, 1, 3, 0])
})

test('R-2.57 sorting by stationary time puts the longest first, moving trackers last', () => {
  const since = (stationary_since: string): Sample => ({ stationary_since })
  expect(order('stationary', [{}, since('2026-03-01T08:00:00Z'), since('2026-02-01T08:00:00Z'), since('2026-03-01T08:55:00Z')])).toEqual([
    2, 1, 3, 0,
  ])
})

test("R-2.57 sorting by name follows the user's language, numbers by value", () => {
  const names = ['Zug', 'Ödland', 'Tracker 10', 'Tracker 9', 'apple'].map((name) => ({ name }))
  expect(order('name', names, 'de')).toEqual([4, 1, 3, 2, 0])
  expect(order('name', names, 'sv')).toEqual([4, 3, 2, 0, 1])
})

test('R-2.57 every sort order leaves ties in the order of name, then id', async () => {
  expect(
    await collectFailures(DEVICE_SORTS, String, (sort) => {
      expect(order(sort, [{ name: 'b' }, { name: 'a' }, { name: 'a' }])).toEqual([1, 2, 0])
    }),
  ).toEqual([])
})
