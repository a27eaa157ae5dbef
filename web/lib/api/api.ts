import { buildUrl, type Client, createClient as createFunctions, type RequestInput } from '#contracts/lib/client.ts'
import { CSRF_COOKIE, CSRF_HEADER, REQUEST_TIMEOUT_MS } from '#contracts/lib/constants.ts'
import { type Contract, findContentType, type Route, UPLOAD_FIELD } from '#contracts/lib/route.ts'
import type { Log } from '#web/lib/log.ts'
import { ApiError, readFailure } from './api-error.ts'

/** What the client needs from its environment; tests pass their own. */
export type ClientPorts = {
  /** Base URL of the API, with or without a trailing slash; empty for this origin. */
  base: string
  fetch: typeof fetch
  token(): string | null
  cookies(): string
  log: Log
  /** Called when there was no response, a 401 or a 403. Returns true when it redirects the user. */
  onLeave(reason: 'no_answer' | 'unauthorized' | 'forbidden'): boolean
}

type RequestOptions = {
  signal?: AbortSignal
  /** The page itself handles a 401 or 403. */
  staysOn401?: boolean
}

/** Creates a function per endpoint of the contract. Any status that the contract does not list is a failure, even a 2xx. */
export const createClient = <C extends Contract>(contract: C, outside: () => ClientPorts): Client<C, RequestOptions> =>
  createFunctions(contract, (route, input, options: RequestOptions = {}) => sendRequest(route, input, options, outside()))

async function sendRequest(route: Route, request: RequestInput, options: RequestOptions, outside: ClientPorts): Promise<unknown> {
  const answer = await fetchResponse(route, request, options, outside)
  const schema = route.response[answer.status as keyof Route['response']]
  const contentType = schema && findContentType(schema)
  if (contentType) return new Uint8Array(await awaitNetwork(answer.arrayBuffer(), options, outside))
  const text = await awaitNetwork(answer.text(), options, outside)
  if (!schema) throw createFailure(route, answer.status, text, options, outside)
  const parsed = schema.safeParse(answer.status === 204 || text === '' ? undefined : parseJson(text))
  if (parsed.success) return parsed.data
  outside.log.failure(`${route.method} ${route.path} responded with a body that breaks the contract`, parsed.error.issues)
  throw new ApiError(answer.status, { code: 'unreadable' })
}

async function fetchResponse(
  route: Route,
  { params, query, body }: RequestInput,
  options: RequestOptions,
  outside: ClientPorts,
): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const payload = body instanceof Blob ? createForm(body) : JSON.stringify(body)
  const sent = outside.fetch(buildUrl(outside.base, route.path, { params, query }), {
    method: route.method,
    headers: buildHeaders(route, typeof payload === 'string', outside),
    signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
    ...(payload !== undefined && { body: payload }),
  })
  return awaitNetwork(sent, options, outside)
}

/** A form for one file. The browser must set the content type, because only it knows the multipart boundary. */
function createForm(file: Blob) {
  const form = new FormData()
  form.set(UPLOAD_FIELD, file)
  return form
}

/** Awaits a network operation. Rethrows a cancellation by the caller silently; any other failure counts as no response. */
async function awaitNetwork<T>(pending: Promise<T>, { signal }: RequestOptions, outside: ClientPorts): Promise<T> {
  try {
    return await pending
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { code: 'no_answer', isLeaving: outside.onLeave('no_answer') })
  }
}

function createFailure(route: Route, status: number, text: string, { staysOn401 }: RequestOptions, outside: ClientPorts): ApiError {
  const failure = readFailure(status, parseJson(text))
  if (status === 401 || status === 403) {
    const isLeaving = !staysOn401 && outside.onLeave(status === 401 ? 'unauthorized' : 'forbidden')
    return new ApiError(status, { ...failure, isLeaving })
  }
  outside.log.failure(`${route.method} ${route.path} failed`, { status, code: failure.code })
  return new ApiError(status, failure)
}

/** Headers with the token, except for public endpoints. The token is read at the last moment because another tab may have changed it. */
function buildHeaders(route: Route, isJson: boolean, outside: ClientPorts): Headers {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Opens an event stream without timeout, logging or redirects; the caller reconnects. */
export const openStream = (route: Route, init: { signal: AbortSignal; headers?: Record<string, string> }, outside: ClientPorts) => {
  const headers = buildHeaders(route, false, outside)
  headers.set('accept', 'text/event-stream')
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value)
  return outside.fetch(buildUrl(outside.base, route.path), { headers, signal: init.signal })
}
