import type { Habits } from './habits.ts'

export type Reply = { status: number; body?: unknown; text?: string; binary?: Buffer; headers?: Record<string, string> }

/** A rejection by the rules of the backend, in its own words. */
export class Refusal extends Error {
  readonly status: number
  readonly fields: Record<string, string[]>
  readonly data: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    message: string,
    further: { fields?: Record<string, string[]>; data?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.fields = further.fields ?? {}
    this.data = further.data ?? {}
    this.headers = further.headers ?? {}
  }
}

export const refuseField = (field: string, message: string) => new Refusal(400, message, { fields: { [field]: [message] } })

const HTML_404 = `<!DOCTYPE html>
<html lang="en">
<head><title>Not Found</title></head>
<body><h1>Not Found</h1><p>The requested resource was not found on this server.</p></body>
</html>
`

function writeRefusal({ status, message, fields, data }: Refusal, { errors }: Habits): unknown {
  const hasFields = Object.keys(fields).length > 0
  switch (errors) {
    case 'drf':
      return hasFields ? { ...fields, ...data } : { detail: message, ...data }
    case 'problem':
      return { type: 'about:blank', title: 'Request refused', status, detail: message, ...(hasFields && { errors: fields }), ...data }
    case 'message':
      return { success: false, message, ...(hasFields && { errors: fields }), ...data }
    case 'list': {
      const list = Object.entries(fields).flatMap(([field, messages]) => messages.map((detail) => ({ field, detail })))
      return { errors: hasFields ? list : [{ detail: message }], ...data }
    }
  }
}

export function replyWithRefusal(refusal: Refusal, habits: Habits): Reply {
  if (refusal.message === '' && refusal.status === 404 && habits.notFound === 'html') {
    return { status: 404, text: HTML_404, headers: { 'content-type': 'text/html; charset=utf-8' } }
  }
  const named = refusal.message === '' ? new Refusal(refusal.status, 'Not found.', refusal) : refusal
  return { status: refusal.status, body: writeRefusal(named, habits), headers: refusal.headers }
}

export type Page = { rows: unknown[]; number: number }

type Listing = { rows: readonly unknown[]; query: URLSearchParams; origin: string; path: string; habits: Habits }

const readNumber = (query: URLSearchParams, name: string, least: number, otherwise: number) => {
  const value = Number(query.get(name) ?? Number.NaN)
  return Number.isInteger(value) && value >= least ? value : otherwise
}

/** Cuts the requested page out of the rows, and returns its number, counted from 1. */
export function cutPage({ rows, query, origin, path, habits }: Listing): { body: unknown; number: number } {
  if (habits.pages === 'none') return { body: rows, number: 1 }
  const wanted = readNumber(query, habits.pages === 'offset' ? 'limit' : 'page_size', 1, habits.pageSize)
  const size = habits.largestPage > 0 ? Math.min(wanted, habits.largestPage) : habits.pageSize
  const address = (changes: Record<string, string>) => {
    const changed = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) changed.set(name, value)
    return `${origin}${path}?${changed}`
  }
  const cursor = Buffer.from(query.get('cursor') ?? '', 'base64url').toString()
  const page = readNumber(query, 'page', 1, 1)
  const starts = {
    page: (page - 1) * size,
    links: (page - 1) * size,
    offset: readNumber(query, 'offset', 0, 0),
    cursor: Number(cursor.slice(2)) || 0,
  }
  const start = starts[habits.pages]
  const results = rows.slice(start, start + size)
  if (results.length === 0 && start > 0) throw new Refusal(404, 'Invalid page.')
  const link = (to: number) => {
    if (to < 0 || to >= rows.length || to === start) return null
    if (habits.pages === 'offset') return address({ limit: String(size), offset: String(to) })
    if (habits.pages === 'cursor') return address({ cursor: Buffer.from(`p=${to}`).toString('base64url') })
    return address({ page: String(to / size + 1) })
  }
  const links = { next: link(start + size), previous: start === 0 ? null : link(Math.max(0, start - size)) }
  const number = Math.floor(start / size) + 1
  if (habits.pages === 'cursor') return { body: { ...links, results }, number }
  if (habits.pages === 'links') return { body: { data: results, links, meta: { total: rows.length } }, number }
  return { body: { count: rows.length, ...links, results }, number }
}
