import { HISTORY_PAGE_SIZE } from '#server/tracking/history/history.ts'
import { defOf, unwrapSchema } from './fields.ts'
import { type About, findSchema, type Habit, isObject, type Json } from './habit.ts'

/** Whether the contract expects a plain list. */
const isList = (body: Json, about: About): body is Json[] => {
  const schema = findSchema(about)
  return Array.isArray(body) && schema !== undefined && defOf(unwrapSchema(schema)).type === 'array'
}

const pageOf = (query: URLSearchParams) => Math.max(1, Number(query.get('page')) || 1)

const linkTo = (page: number, { origin, path, query }: About) => {
  const next = new URLSearchParams(query)
  next.set('page', String(page))
  return `${origin}${path}?${next}`
}

/** A page of a list, and the URLs of its neighbours. */
function cutPage(list: Json[], size: number, about: About) {
  const page = pageOf(about.query)
  const last = Math.max(1, Math.ceil(list.length / size))
  return {
    entries: list.slice((page - 1) * size, page * size),
    next: page < last ? linkTo(page + 1, about) : null,
    previous: page > 1 ? linkTo(page - 1, about) : null,
  }
}

/** `{ count, next, previous, results }` with absolute addresses, as Django REST framework pages. */
export const pagesWithResults = (size = Number.POSITIVE_INFINITY): Habit => ({
  name: size === Number.POSITIVE_INFINITY ? 'pages with results' : `pages of ${size} with results`,
  stage: 'shape',
  body: (body, about) => {
    if (!isList(body, about)) return body
    const { entries, next, previous } = cutPage(body, Math.min(size, Math.max(1, body.length)), about)
    return { count: body.length, next, previous, results: entries }
  },
})

/** `{ data: […] }`, with the additional fields of many frameworks. */
export const listsInData: Habit = {
  name: 'lists in data',
  stage: 'shape',
  body: (body, about) => (isList(body, about) ? { data: body, meta: { total: body.length } } : body),
}

export const listsInItems: Habit = {
  name: 'lists in items',
  stage: 'shape',
  body: (body, about) => (isList(body, about) ? { items: body, total: body.length } : body),
}

export const objectsInData: Habit = {
  name: 'objects in data',
  stage: 'shape',
  body: (body, about) => (isObject(body) && findSchema(about) && !isHistory(body, about) ? { data: body } : body),
}

/** The only response of the contract that is a page. */
const isHistory = (body: Json, about: About): body is { results: Json[] } => {
  const schema = findSchema(about)
  return isObject(body) && Array.isArray(body.results) && schema !== undefined && 'results' in (defOf(unwrapSchema(schema)).shape ?? {})
}

/** A whole history as one list; only periods of one page can be returned this way. */
export const historyAsList: Habit = {
  name: 'history as a list',
  stage: 'shape',
  body: (body, about) => (isHistory(body, about) ? body.results : body),
}

/** Pages of a history, shorter than the contract's; `size` must divide its page size. */
export const historyInPagesOf = (size: number): Habit => {
  const perPage = HISTORY_PAGE_SIZE / size
  return {
    name: `history in pages of ${size}`,
    stage: 'shape',
    request: (sent, { route }) => {
      if (!route?.path.endsWith('/tracker_data/')) return sent
      const query = new URLSearchParams(sent.query)
      query.set('page', String(Math.ceil(pageOf(sent.query) / perPage)))
      return { ...sent, query }
    },
    body: (body, about) => {
      if (!isHistory(body, about)) return body
      const page = pageOf(about.query)
      const first = ((page - 1) % perPage) * size
      const count = Number((body as { count?: Json }).count)
      return {
        count,
        next: page * size < count ? linkTo(page + 1, about) : null,
        previous: page > 1 ? linkTo(page - 1, about) : null,
        results: body.results.slice(first, first + size),
      }
    },
  }
}
