import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { type Endpoint, endpoint, missingObject, Problem } from './endpoint.ts'
import { Int } from './parameters.ts'
import type { Provider } from './provider.ts'

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10

/**
 * List parameters of every endpoint. `starting_after` is the id of the last object on the previous page, `ending_before` that of the first
 * one on the next.
 */
export const Pagination = { limit: z.optional(Int), starting_after: z.optional(z.string()), ending_before: z.optional(z.string()) }

type PageQuery = { [name in keyof typeof Pagination]?: z.output<(typeof Pagination)[name]> | undefined }

const Bounds = z.strictObject({ gte: z.optional(Int), gt: z.optional(Int), lte: z.optional(Int), lt: z.optional(Int) })
/** Filter of lists by date: an instant, or its bounds. */
export const Created = z.optional(z.union([Int, Bounds]))

export function isCreatedWithin({ created }: { created: number }, range: z.output<typeof Created>) {
  if (range === undefined) return true
  const {
    gte = 0,
    gt = -1,
    lte = Number.POSITIVE_INFINITY,
    lt = Number.POSITIVE_INFINITY,
  } = typeof range === 'number' ? { gte: range, lte: range } : range
  return created >= gte && created > gt && created <= lte && created < lt
}

export function paginate<T extends { id: string; created: number }>(
  all: Iterable<T>,
  { limit = DEFAULT_LIMIT, starting_after, ending_before }: PageQuery,
  url: string,
): Stripe.ApiList<T> {
  if (limit < 1 || limit > MAX_LIMIT) throw new Problem(`This value must be between 1 and ${MAX_LIMIT}.`, { param: 'limit' })
  const sorted = [...all].reverse().sort((a, b) => b.created - a.created)
  const find = (wanted: string, param: string) => {
    const index = sorted.findIndex(({ id }) => id === wanted)
    if (index < 0) throw missingObject('object', wanted, param, 400)
    return index
  }
  if (ending_before !== undefined) {
    const to = find(ending_before, 'ending_before')
    return { object: 'list', url, has_more: to > limit, data: sorted.slice(Math.max(0, to - limit), to) }
  }
  const from = starting_after === undefined ? 0 : find(starting_after, 'starting_after') + 1
  return { object: 'list', url, has_more: sorted.length > from + limit, data: sorted.slice(from, from + limit) }
}

const SearchQuery = z.strictObject({ query: z.string(), limit: z.optional(Int), page: z.optional(z.string()) })

/** `-status:"paid"`, `name~"bello"`, `amount>=100`, `metadata["key"]:"value"` */
const CLAUSE = /^(-?)([a-z_.]+)(?:\[["']([^"']+)["']\])?\s*(:|~|>=|<=|>|<)\s*(?:"([^"]*)"|'([^']*)'|(\S+))$/
const QUOTED = /"[^"]*"|'[^']*'/g
/** A space that ends a clause: not one next to an operator. */
const BREAK = /(?<![:~<>=]\s*)\s+(?!\s*[:~<>=])/

/** The search of a resource, with Stripe's query language: clauses joined by AND or a space, or all of them by OR. */
export const searchEndpoint = (path: string, list: (provider: Provider) => Iterable<{ id: string; created: number }>): Endpoint =>
  endpoint('GET', `${path}/search`, SearchQuery, (provider, { query, limit = DEFAULT_LIMIT, page = '0' }) => {
    if (limit < 1 || limit > MAX_LIMIT) throw new Problem(`This value must be between 1 and ${MAX_LIMIT}.`, { param: 'limit' })
    const matches = parseQuery(query)
    const found = [...list(provider)].reverse().filter(matches)
    const from = Number(page)
    const end = from + limit
    const next = found.length > end ? String(end) : null
    return { object: 'search_result', url: `${path}/search`, has_more: next !== null, next_page: next, data: found.slice(from, end) }
  })

function parseQuery(query: string) {
  const texts: string[] = []
  const masked = query.replace(QUOTED, (text) => `\uE000${texts.push(text) - 1}\uE000`)
  const byOr = masked.trim().split(/\s+OR\s+/i)
  const byAnd = byOr.flatMap((part) => part.split(/\s+AND\s+/i).flatMap((one) => one.split(BREAK)))
  if (byOr.length > 1 && byAnd.length > byOr.length)
    throw new Problem('A query joins its clauses by AND or by OR, not by both.', { param: 'query' })
  const clauses = byAnd.map((part) => parseClause(part.replace(/\uE000(\d+)\uE000/g, (_, index) => texts[Number(index)]!)))
  return (object: object) => (byOr.length > 1 ? clauses.some((holds) => holds(object)) : clauses.every((holds) => holds(object)))
}

function parseClause(text: string) {
  const [, minus, field = '', key, operator, ...values] = CLAUSE.exec(text) ?? []
  if (!operator) throw new Problem(`We were unable to parse your search query: ${text}`, { param: 'query' })
  const wanted = values.find((value) => value !== undefined) ?? ''
  return (object: object) => {
    const value = [...field.split('.'), ...(key === undefined ? [] : [key])].reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | null | undefined)?.[name],
      object,
    )
    return compare(value, operator, wanted) !== (minus === '-')
  }
}

function compare(value: unknown, operator: string, wanted: string) {
  if (value === null || value === undefined) return wanted === 'null' && operator === ':'
  if (operator === ':') return String(value).toLowerCase() === wanted.toLowerCase()
  if (operator === '~') return String(value).toLowerCase().includes(wanted.toLowerCase())
  const [left, right] = [Number(value), Number(wanted)]
  if (operator.startsWith('>')) return operator === '>' ? left > right : left >= right
  return operator === '<' ? left < right : left <= right
}
