import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import type { Device } from '#contracts/trackers/devices.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { countStates, createFilter, createSorter, groupRows, type Surroundings } from './arrange.ts'
import { EMPTY_VIEW, type ListView, SORT_KEYS, type Sort } from './list-view.ts'

const WORDS: Record<string, string> = { 'groups.lost': 'Lost', 'groups.moving': 'Moving' }
const around: Surroundings = {
  t: ((key: string) => WORDS[key] ?? key) as unknown as TFunction,
  language: 'en',
  now: SAMPLE_AT,
  placeOf: () => undefined,
  ownerOf: () => undefined,
}
type Sample = Parameters<typeof sampleDevice>[0]
const make = (...samples: Sample[]) => samples.map((sample, index) => sampleDevice({ id: index, name: 'x', ...sample }))
const by = (...keys: string[]): Sort[] =>
  keys.map((key) => ({ key: key.replace('-', '') as Sort['key'], isDescending: key.startsWith('-') }))
const ids = (devices: readonly Device[]) => devices.map(({ id }) => id)
const sortedIds = (keys: string[], samples: Sample[], language = 'en') =>
  ids(createSorter()(make(...samples), by(...keys), { ...around, language }))

test('R-2.57 sorting by battery puts the lowest charge first, comparing mV within 3000 to 4200, unknown last in both directions', () => {
  const at = (battery: number | null, type?: 'tracker_02'): Sample => ({ ...(type && { type }), status: { battery } })
  const samples = [at(60), at(-1), at(3600, 'tracker_02'), at(0), at(4300, 'tracker_02'), at(99), at(null)]
  expect(sortedIds(['battery'], samples)).toEqual([3, 2, 0, 5, 4, 1, 6])
  expect(sortedIds(['-battery'], samples)).toEqual([4, 5, 0, 2, 3, 1, 6])
})

test('R-2.57 sorting by last event puts the newest first, trackers without any last', () => {
  const at = (datetime: string): Sample => ({ status: { last_event: { type: 'position', datetime } } })
  const samples = [{ status: { last_event: null } }, at('2026-03-01T08:00:00Z'), at('2026-03-01T09:00:00Z'), at('2025-03-01T09:00:00Z')]
  expect(sortedIds(['event'], samples)).toEqual([2, 1, 3, 0])
})

test('R-2.57 sorting by stationary time puts the longest first, moving trackers last', () => {
  const since = (stationary_since: string | null): Sample => ({ status: { stationary_since } })
  const samples = [since(null), since('2026-03-01T08:00:00Z'), since('2026-02-01T08:00:00Z'), since('2026-03-01T08:55:00Z')]
  expect(sortedIds(['stationary'], samples)).toEqual([2, 1, 3, 0])
})

test("R-2.57 sorting by name follows the user's language, numbers by value", () => {
  const names = ['Zug', 'Ödland', 'Tracker 10', 'Tracker 9', 'apple'].map((name) => ({ name }))
  expect(sortedIds(['name'], names, 'de')).toEqual([4, 1, 3, 2, 0])
  expect(sortedIds(['name'], names, 'sv')).toEqual([4, 3, 2, 0, 1])
})

test('R-2.57 every sort leaves ties in the order of name, then id', async () => {
  expect(
    await collectFailures(SORT_KEYS, String, (key) => {
      if (key !== 'name') expect(sortedIds([key], [{ name: 'b' }, { name: 'a' }, { name: 'a' }])).toEqual([1, 2, 0])
    }),
  ).toEqual([])
})

test('a second key orders trackers that the first one finds equal', () => {
  const samples = [10, 20, 30].map((battery, index) => ({
    tag: { id: index % 2, name: `Tag ${index % 2}`, color: '' },
    status: { battery },
  }))
  expect(sortedIds(['tag', '-battery'], samples)).toEqual([2, 0, 1])
})

test('a sorter that sorted an earlier list sorts a changed one like a new sorter, and leaves the given list as it is', async () => {
  const fleet = Array.from({ length: 300 }, (_, index) =>
    sampleDevice({ id: index + 1, name: `Van ${(index * 37) % 300}`, status: { battery: index % 90 } }),
  )
  const changed = [
    ...fleet.slice(20, 150),
    ...fleet.slice(151).map((device) => (device.id % 40 === 0 ? { ...device, name: `Ambulance ${device.id}` } : device)),
    sampleDevice({ id: 1000, name: 'Van 12.5' }),
  ]
  const before = [...changed]
  expect(
    await collectFailures(SORT_KEYS, String, (key) => {
      const sorter = createSorter()
      sorter(fleet, by(key), around)
      expect(sorter(changed, by(key), around)).toEqual(createSorter()(changed, by(key), around))
    }),
  ).toEqual([])
  expect(changed).toEqual(before)
})

const shown = (devices: readonly Device[], view: Partial<ListView>) => ids(devices.filter(createFilter({ ...EMPTY_VIEW, ...view }, around)))

test('a list shows the trackers of any chosen state that have any chosen tag', () => {
  const tag = (id: number) => ({ id, name: `Tag ${id}`, color: '' })
  const devices = make({ tag: tag(1) }, { tag: tag(2) }, { tag: tag(1), config: { mode: 27 } }, { config: { mode: 27 } })
  expect(countStates(devices, SAMPLE_AT)).toMatchObject({ lost: 2, moving: 2, rest: 0 })
  expect(shown(devices, { states: ['lost'] })).toEqual([2, 3])
  expect(shown(devices, { states: ['lost', 'moving'], tags: [1] })).toEqual([0, 2])
  expect(shown(devices, { tags: [1, 2] })).toEqual([0, 1, 2])
})

test('a search finds trackers by the word of their state', () => {
  expect(shown(make({}, { config: { mode: 27 } }), { query: 'lost' })).toEqual([1])
})

test('a list shows the subscriptions that end in the current month', () => {
  const until = (sub_end_date: string | null): Sample => ({ status: { sub_end_date } })
  const devices = make(until('2026-03-20T12:00:00Z'), until('2026-04-20T12:00:00Z'), until(null), until('2025-03-20T12:00:00Z'))
  expect(shown(devices, { endsThisMonth: true })).toEqual([0])
})

test('groups stand in the order of their names, each in the order of the list, and what belongs to none comes last', () => {
  const until = (sub_end_date: string | null): Sample => ({ status: { sub_end_date } })
  const devices = make(until('2026-05-20T12:00:00Z'), until(null), until('2026-03-20T12:00:00Z'), until('2026-05-02T12:00:00Z'))
  const rows = groupRows(devices, 'month', around, { formatMonth: (instant) => instant.slice(0, 7), rest: 'No end' })
  expect(rows.map((row) => ('head' in row ? `${row.head} ${row.count}` : row.id))).toEqual([
    '2026-03 1',
    2,
    '2026-05 2',
    0,
    3,
    'No end 1',
    1,
  ])
})
