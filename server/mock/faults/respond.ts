import { randomUUID } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Expected, FaultMatch } from '#contracts/mock/faults.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Fault } from './faults.ts'

type Content = Pick<FastifyRequest, 'query' | 'headers' | 'body'>

/** Whether query, headers and body of a request meet the expectations. */
export const matchesContent = ({ query, headers, body }: Content, match: FaultMatch) =>
  meetsAll(match.query, (name) => readPath(query, [name])) &&
  meetsAll(match.headers, (name) => headers[name.toLowerCase()]) &&
  Object.entries(match.body ?? {}).every(([path, value]) => meetsAny(readAll(body, path.split('.')), value))

const meetsAll = (expected: Record<string, Expected> = {}, read: (name: string) => unknown) =>
  Object.entries(expected).every(([name, value]) => meets(read(name) ?? null, value))

const meetsAny = (found: readonly unknown[], expected: Expected) =>
  (found.length === 0 ? [null] : found).some((each) => meets(each ?? null, expected))

function meets(found: unknown, expected: Expected): boolean {
  if (expected !== null && typeof expected === 'object') return found !== null && testPattern(expected.matches, String(found))
  return found === expected || (found !== null && typeof found !== 'object' && String(found) === String(expected))
}

/** Far longer than any pattern needs, except one with catastrophic backtracking. */
const PATTERN_MS = 250
const sandbox = createContext(Object.create(null))
const search = new Script('new RegExp(source).test(text)')
const tooSlow = new LRUCache<string, true>({ max: 1000 })

/** Whether a pattern took so long that it is not tried again, and matches nothing. */
export const isTooSlow = (source: string) => tooSlow.has(source)

/** Tests a text with a user's pattern. A slow one would block all worlds, so it is disabled for good. */
function testPattern(source: string, text: string): boolean {
  if (isTooSlow(source)) return false
  Object.assign(sandbox, { source, text })
  try {
    return search.runInContext(sandbox, { timeout: PATTERN_MS }) === true
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    tooSlow.set(source, true)
    return false
  } finally {
    Object.assign(sandbox, { source: '', text: '' })
  }
}

/** The value at a path of own properties; undefined when there is none. With `*` the first existing one. */
const readPath = (value: unknown, path: readonly string[]): unknown => readAll(value, path)[0]

/** The values at a path, several if it has a `*`. */
function readAll(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (key === '*') return Object.values(value).flatMap((each) => readAll(each, rest))
  return Object.hasOwn(value, key) ? readAll((value as Record<string, unknown>)[key], rest) : []
}

type Stub = Extract<Fault, { effect: 'respond' }>

const PLACEHOLDER = /\{\{\s*([\w.*-]+)\s*\}\}/g
const ONLY_PLACEHOLDER = /^\{\{\s*([\w.*-]+)\s*\}\}$/

/** Whether a fault needs the request's body, so that it can only act after the body was read. */
export const needsBody = (fault: Fault) =>
  fault.match?.body !== undefined || (fault.effect === 'respond' && /\{\{\s*body\b/.test(JSON.stringify([fault.body, fault.headers])))

/** Sends the response of a stub: text as HTML unless a header says otherwise, anything else as JSON, nothing without a body. */
export function sendStub({ match, status, body, headers = {} }: Stub, request: FastifyRequest, reply: FastifyReply) {
  const fill = createFill(request, readParams(match?.route, request))
  const filledHeaders = Object.entries(dropFraming(headers)).map(([name, value]) => [name, toText(fill(value))])
  reply.code(status).headers(Object.fromEntries(filledHeaders))
  if (body === undefined) return reply.send()
  const filled = fill(body)
  if (!reply.hasHeader('content-type'))
    reply.type(typeof filled === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
  return reply.send(typeof filled === 'string' ? filled : JSON.stringify(filled))
}

/** Omits headers about the transfer of the body, such as those of a copied response: the server sets its own. */
export const dropFraming = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(transfer-encoding|trailer)$/i.test(name)))

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')).replace(/[^\t\x20-\x7e\x80-\xff]/g, '')

/** The parameters of a path: those of the call, and those of a pattern such as `/devices/:id/weather/` that the API does not have. */
function readParams(route = '', { url, params }: FastifyRequest) {
  const parts = url.split('?', 1)[0]!.split('/')
  const named = route.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), parts[at]] as const] : []))
  return { ...(params as object), ...Object.fromEntries(named) }
}

/** Returns a function that replaces placeholders in all text of a value. */
function createFill({ query, headers, body, method, url, world }: FastifyRequest, params: object) {
  const values = { params, query, headers, body, method, url, now: formatInstant(world.clock.now()) }
  const read = (path: string) => (path === 'uuid' ? randomUUID() : readPath(values, path.split('.')))
  const fillText = (text: string) => {
    const only = ONLY_PLACEHOLDER.exec(text)?.[1]
    if (only !== undefined) return read(only) ?? null
    return text.replace(PLACEHOLDER, (_, path: string) => {
      const value = read(path) ?? ''
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
  }
  function fill(value: unknown): unknown {
    if (typeof value === 'string') return fillText(value)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]))
  }
  return fill
}
