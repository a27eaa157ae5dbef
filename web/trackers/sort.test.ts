import { beforeEach, describe, expect, test } from 'vitest'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { storage } from '#web/lib/storage.ts'
import { sampleDevice } from './sample-device.ts'
import { createSorter, savedSort, saveSort } from './sort.ts'

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
