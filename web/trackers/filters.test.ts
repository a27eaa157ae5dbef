import { expect, test } from 'vitest'
import { tabStorage } from '#web/lib/storage.ts'
import { ALL, found, matches, rememberedFilter, rememberFilter, sameFilter, tagsOf } from './filters.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'

const pets = { id: 4, name: 'Pets', color: '#f00' }

test('R-3.4 a search matches name, tag, address and numbers, ignoring accents and case', () => {
  const rex = sampleDevice({ tag: pets })
  expect(['rex', 'PETS', 'republica malvin', 'alice', '1000000001', ''].every((query) => found(rex, query))).toBe(true)
  expect(found(rex, 'rex cat')).toBe(false)
})

test('filters count moving trackers, those that need attention and those with a tag', () => {
  const standing = sampleDevice({ status: { stationary_since: '2026-03-02T08:00:00Z', battery: 4 } })
  expect(matches(sampleDevice(), { kind: 'moving' }, SAMPLE_AT)).toBe(true)
  expect(matches(standing, { kind: 'moving' }, SAMPLE_AT)).toBe(false)
  expect(matches(standing, { kind: 'attention' }, SAMPLE_AT)).toBe(true)
  expect(matches(sampleDevice({ tag: pets }), { kind: 'tag', id: 4 }, SAMPLE_AT)).toBe(true)
  expect(matches(standing, { kind: 'tag', id: 4 }, SAMPLE_AT)).toBe(false)
})

test('each tag in use is listed once, by name', () => {
  const tag = (id: number, name: string) => sampleDevice({ tag: { id, name, color: '#000' } })
  expect(tagsOf([tag(2, 'Vehicles'), tag(1, 'Pets'), tag(2, 'Vehicles'), sampleDevice()]).map(({ name }) => name)).toEqual([
    'Pets',
    'Vehicles',
  ])
})

test('filters of different tags are different', () => {
  expect(sameFilter({ kind: 'tag', id: 1 }, { kind: 'tag', id: 2 })).toBe(false)
  expect(sameFilter({ kind: 'all' }, { kind: 'all' })).toBe(true)
})

test('a filter is saved for the session, and a filter of a deleted tag is ignored', () => {
  const mine = [sampleDevice({ tag: pets })]
  expect(rememberedFilter(mine)).toEqual(ALL)
  for (const filter of [{ kind: 'moving' } as const, { kind: 'tag', id: 4 } as const, ALL]) {
    rememberFilter(filter)
    expect(rememberedFilter(mine)).toEqual(filter)
  }
  tabStorage.set('trackersFilter', 'tag:9')
  expect(rememberedFilter(mine)).toEqual(ALL)
})
