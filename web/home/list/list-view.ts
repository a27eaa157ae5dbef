import { parseId } from '#contracts/lib/common.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { STATE_GROUPS, type StateGroup } from '#web/trackers/state.ts'

export const SORT_KEYS = ['name', 'where', 'state', 'stationary', 'age', 'battery', 'event', 'ends', 'tag', 'owner'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export type Sort = { key: SortKey; isDescending: boolean }

export const GROUPINGS = ['none', 'tag', 'place', 'owner', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Columns of the table besides the name, in their order. */
export const COLUMNS = ['where', 'state', 'age', 'battery', 'event', 'ends', 'tag', 'model', 'owner'] as const
export type ColumnId = (typeof COLUMNS)[number]

/** What the list shows and how. Null for a grouping or columns that the user has not chosen. */
export type ListView = {
  query: string
  states: readonly StateGroup[]
  tags: readonly number[]
  /** Only subscriptions that end in the current month. */
  endsThisMonth: boolean
  sort: readonly Sort[]
  group: Grouping | null
  columns: readonly ColumnId[] | null
}

export const EMPTY_VIEW: ListView = { query: '', states: [], tags: [], endsThisMonth: false, sort: [], group: null, columns: null }

const KEYS = ['q', 'state', 'tag', 'ends', 'sort', 'group', 'columns'] as const

const pick = <T extends string>(known: readonly T[], text: string | null): T[] => {
  const named = text?.split(',') ?? []
  return [...new Set(named.flatMap((name) => known.find((one) => one === name) ?? []))]
}

/** `-battery,name`: the highest charge first, equal ones by name. */
const readSort = (text: string | null): Sort[] =>
  (text?.split(',') ?? []).flatMap((part) => {
    const key = SORT_KEYS.find((known) => known === part.replace(/^-/, ''))
    return key ? [{ key, isDescending: part.startsWith('-') }] : []
  })

const writeSort = (sort: readonly Sort[]) => sort.map(({ key, isDescending }) => (isDescending ? `-${key}` : key)).join(',')

export const readView = (params: URLSearchParams): ListView => ({
  query: params.get('q') ?? '',
  states: pick(STATE_GROUPS, params.get('state')),
  tags: (params.get('tag')?.split(',') ?? []).filter(Boolean).map((id) => parseId(id)),
  endsThisMonth: params.get('ends') === 'month',
  sort: readSort(params.get('sort')),
  group: pick(GROUPINGS, params.get('group'))[0] ?? null,
  columns: params.has('columns') ? pick(COLUMNS, params.get('columns')) : null,
})

/** The view as parameters of an address; empty for the list as it is without a choice. */
export function writeView({ query, states, tags, endsThisMonth, sort, group, columns }: ListView): URLSearchParams {
  const params = new URLSearchParams()
  if (query.trim()) params.set('q', query.trim())
  if (states.length > 0) params.set('state', states.join())
  if (tags.length > 0) params.set('tag', tags.join())
  if (endsThisMonth) params.set('ends', 'month')
  if (sort.length > 0) params.set('sort', writeSort(sort))
  if (group) params.set('group', group)
  if (columns) params.set('columns', columns.join())
  return params
}

/** The parameters of an address without those of a view. */
export function stripView(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params)
  for (const key of KEYS) rest.delete(key)
  return rest
}

/** Parameters that the browser keeps until the session ends; the others stay for the next visit. */
const OF_SESSION = ['state', 'tag', 'ends']

/** The view of the address, completed by the order, grouping and columns of the last visit, or without a filter by the last one of this tab. */
export function firstView(address: URLSearchParams): ListView {
  const named = writeView(readView(address))
  const kept = new URLSearchParams(storage.get('trackersView') ?? `sort=${formerSort()}`)
  for (const [key, value] of kept) if (!named.has(key)) named.set(key, value)
  const isFiltered = ['q', ...OF_SESSION].some((key) => address.has(key))
  if (!isFiltered) for (const [key, value] of new URLSearchParams(tabStorage.get('trackersFilter') ?? '')) named.set(key, value)
  return readView(named)
}

/** The sort that an earlier release stored. */
const formerSort = () => storage.get('trackersSort')?.replace('lastEvent', 'event') ?? ''

export function saveView(view: ListView) {
  const [lasting, session] = [writeView(view), new URLSearchParams()]
  lasting.delete('q')
  for (const key of OF_SESSION) {
    const value = lasting.get(key)
    if (value !== null) session.set(key, value)
    lasting.delete(key)
  }
  storage.set('trackersView', lasting.toString())
  storage.remove('trackersSort')
  tabStorage.set('trackersFilter', session.toString())
}

/** A click on a column head: sorts by it, then in the other direction, then no longer. `isAdded` keeps the other keys before it. */
export function nextSort(sort: readonly Sort[], key: SortKey, isAdded: boolean): Sort[] {
  const now = sort.find((one) => one.key === key)
  const next = now ? (now.isDescending ? [] : [{ key, isDescending: true }]) : [{ key, isDescending: false }]
  if (!isAdded) return next
  const at = sort.findIndex((one) => one.key === key)
  return at < 0 ? [...sort, ...next] : sort.toSpliced(at, 1, ...next)
}
