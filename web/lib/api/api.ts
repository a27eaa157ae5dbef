import { addressOf, type CallInput, type Client, createClient as createFunctions } from '#contracts/lib/client.ts'
import { CSRF_COOKIE, CSRF_HEADER, REQUEST_TIMEOUT_MS } from '#contracts/lib/constants.ts'
import { type Contract, contentTypeOf, type Route, UPLOAD_FIELD } from '#contracts/lib/route.ts'
import type { Log } from '#web/lib/log.ts'
import { ApiError, readFailure } from './api-error.ts'

/** What the client needs from its environment; tests pass their own. */
export type Outside = {
  /** Base URL of the API, with or without a trailing slash; empty for this origin. */
  base: string
  fetch: typeof fetch
  token(): string | null
  cookies(): string
  log: Log
  /** Called when there was no response, a 401 or a 403. Returns true when it redirects the user. */
  onLeave(reason: 'no_answer' | 'unauthorized' | 'forbidden'): boolean
}

export type CallOptions = {
  signal?: AbortSignal
  /** The page itself handles a 401 or 403. */
  staysOn401?: boolean
}

/** Creates a function per endpoint of the contract. Any status that the contract does not list is a failure, even a 2xx. */
export const createClient = <C extends Contract>(contract: C, outside: () => Outside): Client<C, CallOptions> =>
  createFunctions(contract, (route, input, options: CallOptions = {}) => call(route, input, options, outside()))

async function call(route: Route, request: CallInput, options: CallOptions, outside: Outside): Promise<unknown> {
  const answer = await send(route, request, options, outside)
  const schema = route.response[answer.status as keyof Route['response']]
  const contentType = schema && contentTypeOf(schema)
  if (contentType) return new Uint8Array(await bodyOf(answer.arrayBuffer(), options, outside))
  const text = await bodyOf(answer.text(), options, outside)
  if (!schema) throw failureOf(route, answer.status, text, options, outside)
  const parsed = schema.safeParse(answer.status === 204 || text === '' ? undefined : json(text))
  if (parsed.success) return parsed.data
  outside.log.failure(`${route.method} ${route.path} responded with a body that breaks the contract`, parsed.error.issues)
  throw new ApiError(answer.status, { code: 'unreadable' })
}

async function send(route: Route, { params, query, body }: CallInput, options: CallOptions, outside: Outside): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const payload = body instanceof Blob ? formOf(body) : JSON.stringify(body)
  const sent = outside.fetch(addressOf(outside.base, route.path, { params, query }), {
    method: route.method,
    headers: headersOf(route, typeof payload === 'string', outside),
    signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
    ...(payload !== undefined && { body: payload }),
  })
  return bodyOf(sent, options, outside)
}

/** A form for one file. The browser must set the content type, because only it knows the multipart boundary. */
function formOf(file: Blob) {
  const form = new FormData()
  form.set(UPLOAD_FIELD, file)
  return form
}

/** Awaits a network operation. Rethrows a cancellation by the caller silently; any other failure counts as no response. */
async function bodyOf<T>(pending: Promise<T>, { signal }: CallOptions, outside: Outside): Promise<T> {
  try {
    return await pending
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { code: 'no_answer', isLeaving: outside.onLeave('no_answer') })
  }
}

function failureOf(route: Route, status: number, text: string, { staysOn401 }: CallOptions, outside: Outside): ApiError {
  const failure = readFailure(status, json(text))
  if (status === 401 || status === 403) {
    const isLeaving = !staysOn401 && outside.onLeave(status === 401 ? 'unauthorized' : 'forbidden')
    return new ApiError(status, { ...failure, isLeaving })
  }
  outside.log.failure(`${route.method} ${route.path} failed`, { status, code: failure.code })
  return new ApiError(status, failure)
}

/** Headers with the token, except for public endpoints. The token is read at the last moment because another tab may have changed it. */
function headersOf(route: Route, isJson: boolean, outside: Outside): Headers {
  const headers = new Headers({ accept: 'application/json, */*;q=0.5' })
  const token = route.access === 'public' ? null : outside.token()
  const csrf = route.method === 'GET' ? null : cookie(outside.cookies(), CSRF_COOKIE)
  if (isJson) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (csrf) headers.set(CSRF_HEADER, csrf)
  return headers
}

const cookie = (cookies: string, name: string) => {
  const found = cookies.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Opens an event stream without timeout, logging or redirects; the caller reconnects. */
export const openStream = (route: Route, init: { signal: AbortSignal; headers?: Record<string, string> }, outside: Outside) => {
  const headers = headersOf(route, false, outside)
  headers.set('accept', 'text/event-stream')
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value)
  return outside.fetch(addressOf(outside.base, route.path), { headers, signal: init.signal })
}
