import { CSRF_COOKIE, CSRF_HEADER } from '#contracts/lib/requests.ts'
import {
  buildUrl,
  type Client,
  type Contract,
  createClient as createFunctions,
  findContentType,
  getSuccess,
  type RequestInput,
  type Route,
  UPLOAD_FIELD,
} from '#contracts/lib/route.ts'
import { clock } from '#web/lib/clock.ts'
import { log } from '#web/lib/log.ts'
import { isLost, pause, RETRY_PAUSES_MS } from '#web/lib/lost.ts'
import type { Refusal } from '#web/lib/other-backends/missing-calls.ts'
import type { ReaderPorts } from '#web/lib/other-backends/tolerance.ts'
import { session } from '#web/lib/session.ts'
import { storage } from '#web/lib/storage.ts'
import { ApiError, readFailure } from './api-error.ts'
import { createPatience } from './patience.ts'
import { findArrival } from './started.ts'

/** Dependencies of the client; tests pass their own. */
export type ClientPorts = ReaderPorts & {
  fetch: typeof fetch
  token(): string | null
  cookies(): string
  auth?: AuthSettings | undefined
  /** Called when there was no response, a 401 or a 403. Returns true when it redirects the user. */
  onLeave(reason: 'no_answer' | 'unauthorized' | 'forbidden' | 'second_factor'): boolean
}

/** Authentication settings of the backend; absent ones default to the specification. */
export type AuthSettings = {
  /** The scheme before the token in the header `Authorization`: `Bearer`, `Token`, `JWT`. */
  scheme?: string | undefined
  csrfCookie?: string | undefined
  csrfHeader?: string | undefined
  credentials?: RequestCredentials | undefined
}

export type RequestOptions = {
  signal?: AbortSignal
  /** Only a status that the contract lists counts as success, because treating another one as success would do harm. */
  isStrict?: boolean
  /** The page itself handles a 401 or 403. */
  staysOn401?: boolean
  /** The caller repeats a lost request, so it is sent once and never redirects. */
  staysOnNoAnswer?: boolean
  /** Called with the entries so far of a list that has many pages. */
  onPart?: (entries: never[]) => void
  /** Sending it twice does no harm, although it is not a GET. */
  mayRepeat?: boolean
}

/** Creates a function per endpoint of the contract. A response that breaks the contract is read as well as possible. */
export const createClient = <C extends Contract>(contract: C, outside: () => ClientPorts): Client<C, RequestOptions> =>
  createFunctions(contract, (route, input, options: RequestOptions = {}) => sendRequest(route, input, options, outside()))

async function sendRequest(route: Route, request: RequestInput, options: RequestOptions, outside: ClientPorts): Promise<unknown> {
  const url = buildUrl(outside.base, route.path, request)
  const received = await receive(route, url, request, options, outside)
  if ('bytes' in received) return received.bytes
  const { answer, text } = received
  if (!answer.ok || isPage(text)) throw await createFailure(route, request, answer, text, options, outside)
  if (route.access !== 'public') session.accept()
  const body = answer.status === 204 || text === '' ? undefined : parseJson(text)
  const parsed = route.response[answer.status as keyof Route['response']]?.safeParse(body)
  if (parsed?.success) return parsed.data
  if (!parsed && options.isStrict) throw new ApiError(answer.status, { code: 'unreadable' })
  const { readOther } = await loadTolerance()
  const read = (next: string) => fetchJson(route, next, options, outside)
  const found = await readOther(route, request, { status: answer.status, body, url }, outside, read, options.onPart)
  if (!found) throw new ApiError(answer.status, { code: 'unreadable' })
  return found.value
}

async function fetchJson(of: Route, url: string, options: RequestOptions, outside: ClientPorts) {
  const route: Route = { ...of, method: 'GET' }
  const received = await receive(route, url, {}, options, outside)
  if ('bytes' in received) return undefined
  if (!received.answer.ok) throw await createFailure(route, {}, received.answer, received.text, options, outside)
  return parseJson(received.text)
}

/**
 * Fetches a response with its body. A lost request is repeated if that is safe. Rethrows a cancellation by the caller silently; any other
 * failure counts as no response.
 */
async function receive(route: Route, url: string, request: RequestInput, options: RequestOptions, outside: ClientPorts) {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetchPatiently(route, url, request, options, outside)
      return isFile(route, answer) ? { bytes: new Uint8Array(await answer.arrayBuffer()) } : { answer, text: await answer.text() }
    } catch (error) {
      if (options.signal?.aborted) throw error
      const mayRepeat = (isRead(route) && !options.staysOnNoAnswer) || options.mayRepeat
      const ms = mayRepeat ? RETRY_PAUSES_MS[attempt] : undefined
      if (ms === undefined || !isLost(error))
        throw new ApiError(0, { code: 'no_answer', isLeaving: !options.staysOnNoAnswer && outside.onLeave('no_answer') })
      await pause(ms)
      options.signal?.throwIfAborted()
    }
  }
}

/** A GET that changes something, such as the one that links a code, may have been processed when its response was lost. */
const isRead = ({ method, safety }: Route) => method === 'GET' && safety === 'read'

/** An HTML response to a download is the fallback page of a host that does not have the endpoint. */
const isFile = (route: Route, answer: Response) =>
  answer.ok && findContentType(getSuccess(route).schema) !== undefined && !answer.headers.get('content-type')?.includes('html')

/** The longest accepted `Retry-After`; a longer one fails at once. */
const MAX_PAUSE_S = 10
const MAX_PAUSES = 2

/**
 * Retries after the `Retry-After` of a 429 or 503. A 429 was not processed; a 503 may have been, so only reads are retried. A page of
 * another origin may not see the header; then a rejected read waits one second, and two the next time.
 */
async function fetchPatiently(route: Route, url: string, request: RequestInput, options: RequestOptions, outside: ClientPorts) {
  for (let pauses = 0; ; pauses++) {
    const answer = await fetchResponse(route, url, request, options, outside)
    const mayRepeat = answer.status === 429 || (answer.status === 503 && isRead(route))
    const unsaid = answer.status === 429 && isRead(route) ? 2 ** pauses : Number.NaN
    const seconds = mayRepeat ? Number(answer.headers.get('retry-after') ?? unsaid) : Number.NaN
    if (!(seconds <= MAX_PAUSE_S) || pauses === MAX_PAUSES) return answer
    await pause(seconds * 1000)
    options.signal?.throwIfAborted()
  }
}

async function fetchResponse(
  route: Route,
  url: string,
  { body }: RequestInput,
  { signal }: RequestOptions,
  outside: ClientPorts,
): Promise<Response> {
  const patience = createPatience()
  // Sending a file may take longer than a server may stay silent.
  if (body instanceof Blob) patience.answered()
  const payload = body instanceof Blob ? createForm(body) : JSON.stringify(body)
  const answer = await outside.fetch(url, {
    method: route.method,
    headers: buildHeaders(route, typeof payload === 'string', outside),
    signal: signal ? AbortSignal.any([patience.signal, signal]) : patience.signal,
    ...(payload !== undefined && { body: payload }),
    ...(outside.auth?.credentials && { credentials: outside.auth.credentials }),
  })
  patience.answered()
  return answer
}

/** A form for one file. The browser must set the content type, because only it knows the multipart boundary. */
function createForm(file: Blob) {
  const form = new FormData()
  form.set(UPLOAD_FIELD, file)
  return form
}

/** HTML instead of JSON, such as the start page of a host that does not know the address. */
const isPage = (text: string) => /^\s*</.test(text)

/** Statuses that may mean that the backend does not have the call at all; 200 if the body is a page. */
const UNKNOWN_CALL = [200, 404, 405, 501]

async function createFailure(
  route: Route,
  request: RequestInput,
  { status }: Response,
  text: string,
  { staysOn401 }: RequestOptions,
  outside: ClientPorts,
): Promise<ApiError> {
  const failure = status < 400 ? { code: 'unreadable' as const } : await readFailed(status, parseJson(text))
  if (status === 401 || status === 403) {
    const isLeaving = !staysOn401 && outside.onLeave(reasonOf(status, failure))
    return new ApiError(status, { ...failure, isLeaving })
  }
  outside.log.failure(`${route.method} ${route.path} failed`, { status, code: failure.code })
  if (UNKNOWN_CALL.includes(status)) await noteMissing(route, request, { status, code: failure.code, isPage: isPage(text) }, outside)
  return new ApiError(status, failure)
}

const loadTolerance = () => import('#web/lib/other-backends/tolerance.ts')

/** A rejection of another framework has its fields and its data elsewhere. */
async function readFailed(status: number, body: unknown) {
  const failure = readFailure(status, body)
  if (failure.extras || !body) return failure
  // Without the module the status decides.
  const tolerance = await loadTolerance().catch(() => undefined)
  return { ...failure, ...tolerance?.readRefusal(body) }
}

function reasonOf(status: number, failure: { code: string } | { code: string; extras?: Record<string, unknown> }) {
  if (status === 401) return 'unauthorized'
  return 'extras' in failure && failure.extras?.reason === 'second_factor' ? 'second_factor' : 'forbidden'
}

/** Finds out which feature the backend lacks. If the module cannot be loaded, the feature is offered until the next time. */
const noteMissing = (route: Route, request: RequestInput, answer: Refusal, outside: ClientPorts) => {
  const quietly: ClientPorts = { ...outside, onLeave: () => false }
  return import('#web/lib/other-backends/missing-calls.ts')
    .then((missing) => missing.noteMissing(route, request, answer, (next, input) => sendRequest(next, input, {}, quietly)))
    .catch(() => undefined)
}

/** Headers with the token, except for public endpoints. The token is read at the last moment because another tab may have changed it. */
function buildHeaders(route: Route, isJson: boolean, outside: ClientPorts): Headers {
  const headers = new Headers({ accept: 'application/json, */*;q=0.5' })
  const token = route.access === 'public' ? null : outside.token()
  const { scheme = 'Bearer', csrfCookie = CSRF_COOKIE, csrfHeader = CSRF_HEADER } = outside.auth ?? {}
  const csrf = route.method === 'GET' ? null : cookie(outside.cookies(), csrfCookie)
  if (isJson) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `${scheme} ${token}`)
  if (csrf) headers.set(csrfHeader, csrf)
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
export const openStream = async (route: Route, init: { signal: AbortSignal; headers?: Record<string, string> }, outside: ClientPorts) => {
  const headers = buildHeaders(route, false, outside)
  headers.set('accept', 'text/event-stream')
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value)
  const answer = await outside.fetch(buildUrl(outside.base, route.path), { headers, signal: init.signal })
  const isHtml = answer.headers.get('content-type')?.includes('html') ?? false
  if (isHtml || UNKNOWN_CALL.slice(1).includes(answer.status))
    await noteMissing(route, {}, { status: answer.status, code: '', isPage: isHtml }, outside)
  return answer
}

/** Wraps `fetch` so that the portal's clock follows the `Date` header of every response. */
export const followServerClock =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...request) => {
    const answer = await fetch(...request)
    clock.follow(answer.headers.get('date'), findArrival(answer))
    return answer
  }

/** Event on `window` with a `DeviationReport[]` as its detail, for the developer panel. */
const DEVIATION_EVENT = 'whereabouts:deviations'

let currentPorts: ClientPorts = {
  base: '',
  fetch: (...request) => globalThis.fetch(...request),
  token: () => storage.get('token'),
  cookies: () => document.cookie,
  log,
  onLeave: () => false,
  onDeviations: (detail) => void window.dispatchEvent(new CustomEvent(DEVIATION_EVENT, { detail })),
}

/** The current dependencies; every client reads them at each request. */
export const clientPorts = () => currentPorts

/** Configures the clients: where the API is, how to reach it and how to redirect; called once at the start. */
export const setClientPorts = ({ fetch, ...parts }: Partial<ClientPorts>) => {
  currentPorts = { ...currentPorts, ...parts, ...(fetch && { fetch: followServerClock(fetch) }) }
}
