import type * as z from 'zod/mini'
import { buildUrl, getSuccess, type OwnNames, type RequestInput, type Route, readTolerantly } from '#scripts/contracts/port.ts'
import { ANONYMOUS, findCsrf, findToken, type Identity, readCookies, SCHEMES, signRequest } from './auth.ts'
import { type Endpoint, getEndpoint } from './endpoints.ts'
import type { Options } from './flags.ts'
import { CannotRun } from './io.ts'
import { errorCode } from './judge.ts'
import type { Viewer } from './run.ts'
import { type BackendResponse, type Sender, Unreachable } from './send.ts'

export type Row = Record<string, unknown>

type RequestOverrides = {
  /** Overrides the token of the signed-in user; null sends none. */
  token?: string | null
  headers?: Record<string, string>
  raw?: string
}

/** A server that claims to implement the contract, with the signed-in user's token. */
export type Backend = {
  base: string
  identity: Identity
  /** Fields that this backend has at other places than the contract. */
  names: OwnNames
  request(endpoint: Endpoint, input?: RequestInput, how?: RequestOverrides): Promise<BackendResponse>
  /** Response to a request without input; sent once and cached. */
  read(name: string): Promise<BackendResponse>
  /** Rows of a list, as the portal reads them; empty if the backend is unreachable. */
  rows(name: string, input?: RequestInput): Promise<Row[]>
  /** Common to all pages of a list, computed from the first response. */
  rowsOf(endpoint: Endpoint, response: BackendResponse): Promise<Row[]>
}

function createBackend(base: string, send: Sender, identity: Identity = ANONYMOUS): Backend {
  const read = new Map<string, Promise<BackendResponse>>()
  const request: Backend['request'] = ({ route: { method, path } }, input = {}, how = {}) => {
    const body = how.raw ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
    const headers = {
      accept: 'application/json, */*;q=0.5',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...signRequest(method, identity, how.token),
      ...how.headers,
    }
    return send({ method, url: new URL(buildUrl(base, path, input)), headers, body })
  }
  const readOnce = (name: string) => {
    const response = read.get(name) ?? request(getEndpoint(name))
    read.set(name, response)
    return response
  }
  const rowsOf: Backend['rowsOf'] = async ({ route }, first) => {
    const found: Row[] = []
    const { pathname } = first.sent.url
    let response = first
    for (let page = 0; page < MAX_PAGES; page++) {
      const { rows: own, next } = readRows(route, response.body, backend.names)
      found.push(...own)
      if (!next) break
      // Behind a proxy many backends send another origin.
      const url = new URL(pathname, first.sent.url)
      url.search = new URL(next, url).search
      response = await send({ ...first.sent, url })
    }
    return found
  }
  const rows: Backend['rows'] = async (name, input) => {
    const endpoint = getEndpoint(name)
    try {
      return await rowsOf(endpoint, await (input ? request(endpoint, input) : readOnce(name)))
    } catch (error) {
      if (error instanceof Unreachable) return []
      throw error
    }
  }
  const backend: Backend = { base, identity, names: {}, request, read: readOnce, rows, rowsOf }
  return backend
}

const MAX_PAGES = 20

function readRows(route: Route, body: unknown, names: OwnNames): { rows: Row[]; next?: string | undefined } {
  const reading = readTolerantly(getSuccess(route).schema as z.ZodMiniType, body, names)
  return reading.ok ? { rows: listRows({ body: reading.value }), next: reading.next } : { rows: listRows({ body }) }
}

/** The rows of a list or a page. */
export function listRows({ body }: Pick<BackendResponse, 'body'>): Row[] {
  if (isRow(body) && Array.isArray(body.results)) return body.results.filter(isRow)
  return Array.isArray(body) ? body.filter(isRow) : []
}

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

type SignIn = {
  backend: Backend
  viewer: Viewer | null
  form: BackendResponse | undefined
}

export async function signIn({ base, as }: Pick<Options, 'base' | 'as'>, send: Sender): Promise<SignIn> {
  const anonymous = createBackend(base, send)
  try {
    if (!as) {
      await anonymous.read('sessions.options')
      return { backend: anonymous, viewer: null, form: undefined }
    }
    const form =
      'token' in as
        ? undefined
        : await anonymous.request(getEndpoint('sessions.signIn'), { body: { username: as.email, password: as.password } })
    const backend = await findBackend(base, send, 'token' in as ? tokenOnly(as.token) : requireIdentity(form!, as.email))
    return { backend, viewer: await readViewer(backend, 'token' in as ? null : as.email), form }
  } catch (error) {
    if (error instanceof Unreachable) throw new CannotRun(`${base} can't be reached: ${error.message}`)
    throw error
  }
}

const tokenOnly = (token: string): Identity => ({ ...ANONYMOUS, token })

/** Tries the schemes in turn until one is accepted, or at least is not rejected with 401. */
async function findBackend(base: string, send: Sender, identity: Identity): Promise<Backend> {
  const tried: { backend: Backend; status: number }[] = []
  for (const scheme of identity.token === null ? SCHEMES.slice(0, 1) : SCHEMES) {
    const backend = createBackend(base, send, { ...identity, scheme })
    const { status } = await backend.read('users.me')
    if (status < 400) return backend
    tried.push({ backend, status })
  }
  return (tried.find(({ status }) => status !== 401) ?? tried[0]!).backend
}

function requireIdentity(response: BackendResponse, email: string): Identity {
  const { status, headers, body } = response
  const cookies = readCookies(response)
  const isCookie = Object.keys(cookies).some((name) => !/csrf|xsrf/i.test(name))
  const token = findToken(body) ?? null
  if (status <= 299 && (token !== null || isCookie)) return { ...ANONYMOUS, token, cookies, csrf: findCsrf(cookies) }
  const to = headers.get('location')
  throw new CannotRun(
    `${email} could not sign in: ${[status, errorCode(response) || (to ? `to ${to}, which loses the body` : 'without a token')].join(' ')}`,
  )
}

async function readViewer(backend: Backend, email: string | null): Promise<Viewer> {
  const [me, options] = [await backend.read('users.me'), await backend.read('sessions.options')]
  if (me.status === 401) throw new CannotRun(`The token is rejected: ${[me.status, errorCode(me)].join(' ').trim()}`)
  const role = stringField(me.body, 'role') ?? stringField(options.body, 'role')
  return { email: stringField(me.body, 'email') ?? email, role: role?.toLowerCase() ?? null }
}

function stringField(body: unknown, field: string): string | null {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : null
  return typeof value === 'string' ? value : null
}
