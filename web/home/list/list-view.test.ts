import { beforeEach, expect, test } from 'vitest'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { EMPTY_VIEW, firstView, nextSort, readView, type Sort, saveView, stripView, writeView } from './list-view.ts'

const writeSort = (sort: readonly Sort[]) => writeView({ ...EMPTY_VIEW, sort }).get('sort') ?? ''
const params = (text: string) => new URLSearchParams(text)
const clear = () => {
  for (const key of ['trackersView', 'trackersSort'] as const) storage.remove(key)
  tabStorage.remove('trackersFilter')
}
beforeEach(clear)

test('a view that is written to an address is read from it unchanged', () => {
  const address = 'q=van&state=lost,moving&tag=4,u-5&ends=month&sort=-battery,name&group=tag&columns=where,age'
  expect(decodeURIComponent(writeView(readView(params(address))).toString())).toBe(address)
  expect(writeView(readView(params(''))).toString()).toBe('')
})

test('unknown states, sorts, groupings and columns of an address are ignored', () => {
  const view = readView(params('state=happy,lost,lost&sort=colour,-name&group=mood&columns=soul,age&ends=soon'))
  expect(view).toEqual({ ...EMPTY_VIEW, states: ['lost'], sort: [{ key: 'name', isDescending: true }], columns: ['age'] })
})

test('parameters of other parts of a page stay in the address', () => {
  expect(stripView(params('follow=1&state=lost&sort=name')).toString()).toBe('follow=1')
})

test('sort, grouping and columns stay for the next visit, filters until the session ends, and a search not at all', () => {
  saveView(readView(params('q=van&state=lost&sort=name&group=tag&columns=age')))
  expect(writeView(firstView(params(''))).toString()).toBe('state=lost&sort=name&group=tag&columns=age')
  tabStorage.remove('trackersFilter')
  expect(writeView(firstView(params(''))).toString()).toBe('sort=name&group=tag&columns=age')
})

test('an address with a filter replaces the last filter and keeps the last sort', () => {
  saveView(readView(params('state=lost&sort=name')))
  expect(writeView(firstView(params('tag=4'))).toString()).toBe('tag=4&sort=name')
})

test.each([
  ['lastEvent', 'event'],
  ['stationary', 'stationary'],
  ['colour', ''],
])('the sort %s of an earlier release becomes %j', (former, sort) => {
  storage.set('trackersSort', former)
  expect(writeSort(firstView(params('')).sort)).toBe(sort)
})

test('a column head sorts upwards, downwards and no longer, and with Shift after the other keys', () => {
  const one = nextSort([], 'name', false)
  const two = nextSort(one, 'battery', true)
  expect([one, two, nextSort(two, 'battery', true), nextSort(nextSort(two, 'battery', true), 'battery', true)].map(writeSort)).toEqual([
    ...['name', 'name,battery', 'name,-battery', 'name'],
  ])
  expect(writeSort(nextSort(two, 'age', false))).toBe('age')
})
