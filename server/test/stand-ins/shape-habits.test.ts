import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import * as entries from './entry-habits.ts'
import { applyToBody, type Habit, isObject, type Json } from './habit.ts'
import * as shapes from './shape-habits.ts'
import { aboutEndpoint } from './test-about.ts'
import { idsAsText } from './value-habits.ts'

const tags = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Tag ${index + 1}`, color: '#112233' }))
const [first = null, second = null]: Json[] = tags(2)
const EXTRA = { created_by: 'import', revision: 7, _links: { self: '/elsewhere/' }, extras: [null, {}] }
const point = (id: number) => ({
  id,
  lat: 1,
  lng: 2,
  precision: 3,
  datetime: '2026-03-02T09:00:00Z',
  address: null,
  event: null,
  battery: null,
})
const history = { count: 2, next: null, previous: null, results: [point(1), point(2)] }

type Row = [habit: Habit, endpoint: string, query: string, before: Json, after: Json]

const rows: Row[] = [
  [shapes.pagesWithResults(), 'tags.list', '', tags(2), { count: 2, next: null, previous: null, results: tags(2) }],
  [shapes.pagesWithResults(), 'tags.list', '', [], { count: 0, next: null, previous: null, results: [] }],
  [
    shapes.pagesWithResults(1),
    'tags.list',
    '',
    tags(2),
    { count: 2, next: 'http://api.test/tracker_tags/?page=2', previous: null, results: [first] },
  ],
  [
    shapes.pagesWithResults(1),
    'devices.list',
    'type=tracker&page=2',
    [{ id: 1 }, { id: 2 }],
    { count: 2, next: null, previous: 'http://api.test/devices/?type=tracker&page=1', results: [{ id: 2 }] },
  ],
  [shapes.pagesWithResults(), 'tags.create', '', first, first],
  [shapes.listsInData, 'tags.list', '', tags(2), { data: tags(2), meta: { total: 2 } }],
  [shapes.listsInItems, 'tags.list', '', tags(2), { items: tags(2), total: 2 }],
  [shapes.objectsInData, 'tags.update', '', first, { data: first }],
  [shapes.objectsInData, 'tags.list', '', tags(2), tags(2)],
  [shapes.historyAsList, 'positions.history', '', history, history.results],
  [
    shapes.historyInPagesOf(1),
    'positions.history',
    'page=2',
    history,
    { count: 2, next: null, previous: 'http://api.test/devices/2/tracker_data/?page=1', results: [point(2)] },
  ],
  [entries.extraFields, 'tags.list', '', [first], [{ ...EXTRA, ...(first as object) }]],
  [entries.oddNull, 'tags.list', '', tags(2), [first, null, second]],
  [entries.oddText, 'tags.list', '', tags(2), [first, 'deleted', second]],
  [entries.oddObject, 'positions.history', '', history, { ...history, results: [point(1), { deleted: true }, point(2)] }],
  [entries.oddNull, 'users.me', '', { id: 1 }, { id: 1 }],
  [
    entries.absentFields,
    'contacts.list',
    '',
    [{ id: 1, name: 'Bob', email: 'b@example.net', phone: '1' }],
    [{ id: 1, name: 'Bob', email: 'b@example.net' }],
  ],
  [
    entries.emptyFields,
    'contacts.list',
    '',
    [{ id: 1, name: 'Bob', email: 'b@example.net', phone: '1' }],
    [{ id: 1, name: 'Bob', email: 'b@example.net', phone: null }],
  ],
  [entries.nullsLeftOut, 'contacts.list', '', [{ id: 1, phone: null }], [{ id: 1 }]],
  [
    entries.nullForAbsent,
    'users.settings',
    '',
    { firstname: 'A', lastname: 'B', birthday: null, language: 'en', currency: 'eur', marketing_consent: true, admin_email: null },
    {
      firstname: 'A',
      lastname: 'B',
      birthday: null,
      language: 'en',
      currency: 'eur',
      marketing_consent: true,
      admin_email: null,
      time_zone: null,
    },
  ],
  [
    entries.valuesOfNextYear,
    'places.list',
    '',
    [
      { id: 1, type: 'home' },
      { id: 2, type: 'home' },
    ],
    [
      { id: 1, type: 'home' },
      { id: 2, type: 'marina' },
    ],
  ],
  [
    entries.valuesOfNextYear,
    'orders.list',
    '',
    [
      { reference: 'A', status: 'delivered' },
      { reference: 'B', status: 'delivered' },
    ],
    [
      { reference: 'A', status: 'delivered' },
      { reference: 'B', status: 'returned' },
    ],
  ],
  [
    entries.valuesOfNextYear,
    'devices.get',
    '',
    {
      id: 2,
      type: 'triby',
      kind: 'cat',
      tracker_config: { mode_state: 'applied' },
      tracker_status: { sub_state: 'active', last_event: { type: 'button' } },
    },
    {
      id: 2,
      type: 'tracker_99',
      kind: 'scooter',
      tracker_config: { mode_state: 'queued' },
      tracker_status: { sub_state: 'paused', last_event: { type: 'tamper' } },
    },
  ],
  [entries.valuesOfNextYear, 'devices.get', '', { id: 3, kind: 'cat' }, { id: 3, kind: 'cat' }],
]

test('a deviation of shapes rearranges lists, pages and fields, and changes nothing else', async () => {
  const nameOf = ([{ name }, endpoint, query]: Row) => `${name}, ${endpoint}?${query}`
  const check = ([habit, endpoint, query, before, after]: Row) =>
    expect(applyToBody([habit], before, aboutEndpoint(endpoint, { query }))).toEqual(after)
  expect(await collectFailures(rows, nameOf, check)).toEqual([])
})

test('each element of a list lacks another field', () => {
  const devices = Array.from({ length: 4 }, (_, index) => ({ id: index + 1, serial: 'S', identifier: 'I', tag: null, is_public: true }))
  const changed = applyToBody([entries.absentFields], devices, aboutEndpoint('devices.list')) as Json[]
  expect(changed.map((device) => isObject(device) && Object.keys(device).join())).toEqual([
    'id,identifier,tag,is_public',
    'id,serial,tag,is_public',
    'id,serial,identifier,is_public',
    'id,serial,identifier,tag',
  ])
})

test('deviations can be combined in any order', () => {
  const habits = [shapes.listsInData, entries.oddNull, idsAsText]
  const bodies = [habits, habits.toReversed()].map((order) => applyToBody(order, tags(2), aboutEndpoint('tags.list')))
  expect(bodies[0]).toEqual({ data: [{ ...tags(1)[0], id: '1' }, null, { ...tags(2)[1], id: '2' }], meta: { total: 3 } })
  expect(bodies[1]).toEqual(bodies[0])
})

test('all short pages of a history together equal the long one', () => {
  const { request, body } = shapes.historyInPagesOf(100)
  const long = Array.from({ length: 500 }, (_, index) => point(index))
  const pages = [1, 2, 3, 4, 5, 6].map((page) => {
    const about = aboutEndpoint('positions.history', { query: `page=${page}` })
    const { query } = request!({ path: about.path, query: about.query, headers: {} }, about)
    const results = query.get('page') === '1' ? long : [point(500)]
    return body!({ count: 501, next: null, previous: null, results }, about) as { next: string | null; results: { id: number }[] }
  })
  expect(pages.flatMap(({ results }) => results.map(({ id }) => id))).toEqual(Array.from({ length: 501 }, (_, id) => id))
  expect(pages.map(({ next }) => next !== null)).toEqual([true, true, true, true, true, false])
})
