import { CSRF_HEADER } from '#contracts/lib/requests.ts'
import { buildUrl, createClient, findContentType, getSuccess, type RequestInput, type Route, UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { ApiError, readFailure } from '#web/lib/api/api-error.ts'
import { createPatience } from '#web/lib/api/patience.ts'
import { findCsrfToken, noteEnded, noteOtherSession } from './session-state.ts'

type Options = { signal?: AbortSignal }

/**
 * Sends a call of the console with the cookie of the member of staff, never with the token of an owner. A session that has ended leads to
 * the sign-in.
 */
async function send(route: Route, input: RequestInput, { signal }: Options = {}): Promise<unknown> {
  const { status, ok, bytes } = await receive(route, input, signal)
  const { schema } = getSuccess(route)
  if (ok && findContentType(schema)) return bytes
  const body = parseJson(new TextDecoder().decode(bytes))
  if (!ok) throw createFailure(route, status, body)
  const parsed = schema.safeParse(status === 204 ? undefined : body)
  if (!parsed.success) throw new ApiError(status, { code: 'unreadable' })
  return parsed.data
}

async function receive(route: Route, input: RequestInput, signal: AbortSignal | undefined) {
  const { fetch, base } = clientPorts()
  const patience = createPatience()
  const { body } = input
  // Sending a file may take longer than a server may stay silent.
  if (body instanceof Blob) patience.answered()
  const payload = body instanceof Blob ? createForm(body) : JSON.stringify(body)
  try {
    const response = await fetch(buildUrl(base, route.path, input), {
      method: route.method,
      headers: buildHeaders(route, input),
      signal: signal ? AbortSignal.any([patience.signal, signal]) : patience.signal,
      ...(payload !== undefined && { body: payload }),
    })
    patience.answered()
    return { status: response.status, ok: response.ok, bytes: new Uint8Array(await response.arrayBuffer()) }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { code: 'no_answer' })
  }
}

/** The browser sets the content type, because only it knows the boundary. */
function createForm(file: Blob) {
  const form = new FormData()
  form.set(UPLOAD_FIELD, file)
  return form
}

function buildHeaders(route: Route, { body }: RequestInput) {
  const headers = new Headers({ accept: 'application/json' })
  const token = findCsrfToken()
  if (body !== undefined && !(body instanceof Blob)) headers.set('content-type', 'application/json')
  if (token && route.method !== 'GET' && route.access !== 'public') headers.set(CSRF_HEADER, token)
  return headers
}

function createFailure(route: Route, status: number, body: unknown) {
  const failure = readFailure(status, body)
  const isEnded = status === 401 && route.access !== 'public'
  if (isEnded) noteEnded()
  if (failure.code === 'csrf_failed') noteOtherSession()
  if (status !== 401) clientPorts().log.failure(`${route.method} ${route.path} failed`, { status, code: failure.code })
  return new ApiError(status, { ...failure, isLeaving: isEnded })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const sessionApi = createClient<typeof operatorApi.staffSession, Options>(operatorApi.staffSession, send)
export const staffApi = createClient<typeof operatorApi.staff, Options>(operatorApi.staff, send)
export const keysApi = createClient<typeof operatorApi.staffKeys, Options>(operatorApi.staffKeys, send)
export const operatorOrdersApi = createClient<typeof operatorApi.operatorOrders, Options>(operatorApi.operatorOrders, send)
export const operatorInvoicesApi = createClient<typeof operatorApi.operatorInvoices, Options>(operatorApi.operatorInvoices, send)
export const withdrawalsApi = createClient<typeof operatorApi.operatorWithdrawals, Options>(operatorApi.operatorWithdrawals, send)
export const announcementsApi = createClient<typeof operatorApi.operatorAnnouncements, Options>(operatorApi.operatorAnnouncements, send)
export const deedsApi = createClient<typeof operatorApi.deeds, Options>(operatorApi.deeds, send)
export const stockApi = createClient<typeof operatorApi.stock, Options>(operatorApi.stock, send)
export const customersApi = createClient<typeof operatorApi.customers, Options>(operatorApi.customers, send)
export const operatorTrackersApi = createClient<typeof operatorApi.operatorTrackers, Options>(operatorApi.operatorTrackers, send)
export const codesApi = createClient<typeof operatorApi.codes, Options>(operatorApi.codes, send)
export const gatewaysApi = createClient<typeof operatorApi.gateways, Options>(operatorApi.gateways, send)
export const todayApi = createClient<typeof operatorApi.today, Options>(operatorApi.today, send)
export const requestsApi = createClient<typeof operatorApi.ownerRequests, Options>(operatorApi.ownerRequests, send)
export const claimsApi = createClient<typeof operatorApi.operatorClaims, Options>(operatorApi.operatorClaims, send)
export const pricesApi = createClient<typeof operatorApi.operatorPrices, Options>(operatorApi.operatorPrices, send)
