import { beforeEach, describe, expect, test } from 'vitest'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/rules/tracking/sorting.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import {
  createSearch,
  createSorter,
  isSameFilter,
  listTags,
  matchesFilter,
  NO_FILTER,
  savedFilter,
  savedSort,
  saveFilter,
  saveSort,
} from './filters.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'

const pets = { id: 4, name: 'Pets', color: '#f00' }

test('R-3.4 a search matches name, tag, address and numbers, ignoring accents and case', () => {
  const rex = sampleDevice({ tag: pets })
  expect(['rex', 'PETS', 'republica malvin', 'alice', '1000000001', ''].every((query) => createSearch(query)(rex))).toBe(true)
  expect(createSearch('rex cat')(rex)).toBe(false)
})

test('filters count moving trackers, those that need attention and those with a tag', () => {
  const standing = sampleDevice({ status: { stationary_since: '2026-03-02T08:00:00Z', battery: 4 } })
  expect(matchesFilter(sampleDevice(), { kind: 'moving' }, SAMPLE_AT)).toBe(true)
  expect(matchesFilter(standing, { kind: 'moving' }, SAMPLE_AT)).toBe(false)
  expect(matchesFilter(standing, { kind: 'attention' }, SAMPLE_AT)).toBe(true)
  expect(matchesFilter(sampleDevice({ tag: pets }), { kind: 'tag', id: 4 }, SAMPLE_AT)).toBe(true)
  expect(matchesFilter(standing, { kind: 'tag', id: 4 }, SAMPLE_AT)).toBe(false)
})

test('each tag in use is listed once, by name', () => {
  const tag = (id: number, name: string) => sampleDevice({ tag: { id, name, color: '#000' } })
  expect(listTags([tag(2, 'Vehicles'), tag(1, 'Pets'), tag(2, 'Vehicles'), sampleDevice()]).map(({ name }) => name)).toEqual([
    'Pets',
    'Vehicles',
  ])
})

test('filters of different tags are different', () => {
  expect(isSameFilter({ kind: 'tag', id: 1 }, { kind: 'tag', id: 2 })).toBe(false)
  expect(isSameFilter({ kind: 'all' }, { kind: 'all' })).toBe(true)
})

test('a filter is saved for the session, and a filter of a deleted tag is ignored', () => {
  const mine = [sampleDevice({ tag: pets })]
  expect(savedFilter(mine)).toEqual(NO_FILTER)
  for (const filter of [{ kind: 'moving' } as const, { kind: 'tag', id: 4 } as const, NO_FILTER]) {
    saveFilter(filter)
    expect(savedFilter(mine)).toEqual(filter)
  }
  tabStorage.set('trackersFilter', 'tag:9')
  expect(savedFilter(mine)).toEqual(NO_FILTER)
})

beforeEach(() => storage.remove('trackersSort'))

const event = (datetime: string) => ({ type: 'position', datetime })
const list = [
  sampleDevice({ id: 1, name: 'Zoe', status: { battery: 50, stationary_since: null, last_event: event('2026-03-01T08:00:00Z') } }),
  sampleDevice({ id: 2, name: 'rex 10', status: { battery: -1, stationary_since: '2026-03-02T08:00:00Z', last_event: null } }),
  sampleDevice({
    id: 3,
    name: 'Rex 9',
    type: 'tracker_02',
    status: { battery: 3300, stationary_since: '2026-03-01T08:00:00Z', last_event: event('2026-03-02T08:00:00Z') },
  }),
]
const sortDevices = createSorter()
const ids = (sort: DeviceSort | null, language = 'en') => sortDevices(list, sort, language).map(({ id }) => id)

describe('R-2.57 tracker sort', () => {
  test("without a saved sort the server's order stays", () => {
    expect(savedSort()).toBeNull()
    expect(sortDevices(list, null, 'en')).toBe(list)
  })

  test('every sort can be saved', async () => {
    expect(
      await collectFailures(DEVICE_SORTS, String, (sort) => {
        saveSort(sort)
        expect(savedSort()).toBe(sort)
      }),
    ).toEqual([])
  })

  test('choosing no sort removes the saved one', () => {
    saveSort('name')
    saveSort(null)
    expect(savedSort()).toBeNull()
    expect(storage.get('trackersSort')).toBeNull()
  })

  test('an unknown stored sort is ignored', async () => {
    expect(
      await collectFailures(['', 'colour', 'NAME', '{"sort":"name"}'], String, (kept) => {
        storage.set('trackersSort', kept)
        expect(savedSort()).toBeNull()
      }),
    ).toEqual([])
  })

  test('trackers are sorted by the chosen property', async () => {
    expect(
      await collectFailures(
        [
          ['battery', [3, 1, 2]],
          ['lastEvent', [3, 1, 2]],
          ['name', [3, 2, 1]],
          ['stationary', [3, 2, 1]],
        ] as const,
        JSON.stringify,
        ([sort, expected]) => expect(ids(sort)).toEqual(expected),
      ),
    ).toEqual([])
  })

  test('names are sorted by the rules of the language', () => {
    const names = (language: string) =>
      sortDevices([sampleDevice({ id: 1, name: 'Zeta' }), sampleDevice({ id: 2, name: 'Ängel' })], 'name', language).map(({ name }) => name)
    expect(names('de')).toEqual(['Ängel', 'Zeta'])
    expect(names('sv')).toEqual(['Zeta', 'Ängel'])
  })

  test('sorting does not change the given list', () => {
    sortDevices(list, 'name', 'en')
    expect(list.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})

test('a sorter that sorted an earlier list sorts a changed one like a new sorter', async () => {
  const fleet = Array.from({ length: 300 }, (_, index) =>
    sampleDevice({ id: index + 1, name: `Van ${(index * 37) % 300}`, status: { battery: index % 90 } }),
  )
  const changed = [
    ...fleet.slice(20, 150),
    ...fleet.slice(151).map((device) => (device.id % 40 === 0 ? { ...device, name: `Ambulance ${device.id}` } : device)),
    sampleDevice({ id: 1000, name: 'Van 12.5' }),
  ]
  expect(
    await collectFailures(DEVICE_SORTS, String, (sort) => {
      const sorter = createSorter()
      sorter(fleet, sort, 'en')
      expect(sorter(changed, sort, 'en')).toEqual(createSorter()(changed, sort, 'en'))
      expect(sorter(changed, 'name', 'en')).toEqual(createSorter()(changed, 'name', 'en'))
    }),
  ).toEqual([])
})
