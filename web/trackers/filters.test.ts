import { expect, test } from 'vitest'
import { tabStorage } from '#web/lib/storage.ts'
import { createSearch, isSameFilter, listTags, matchesFilter, NO_FILTER, savedFilter, saveFilter } from './filters.ts'
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
