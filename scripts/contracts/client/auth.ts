import { existsSync, readFileSync } from 'node:fs'
import { ConfigError, CSRF_COOKIE, CSRF_HEADER, parseConfig } from '#scripts/contracts/port.ts'
import { CannotRun, saveFile } from './io.ts'
import type { BackendResponse } from './send.ts'

/** Words that frameworks expect before a token, in the order they are tried. */
export const SCHEMES = ['Bearer', 'Token', 'JWT'] as const
export type Scheme = (typeof SCHEMES)[number]

/** How a backend authenticates requests, as in `auth` of `/config.json`. */
export type Auth = { scheme?: Scheme; csrfCookie?: string; csrfHeader?: string; credentials?: 'include' }

/** A signed-in user: a token with its scheme, or the cookies of a session. */
export type Identity = { token: string | null; scheme: Scheme; cookies: Record<string, string>; csrf: { cookie: string; header: string } }

const CSRF = { cookie: CSRF_COOKIE, header: CSRF_HEADER }
export const ANONYMOUS: Identity = { token: null, scheme: 'Bearer', cookies: {}, csrf: CSRF }

/** Headers that authenticate a request; a given token replaces the user's, null sends none. */
export function signRequest(method: string, identity: Identity, given: string | null | undefined): Record<string, string> {
  const token = given === undefined ? identity.token : given
  if (token) return { authorization: `${identity.scheme} ${token}` }
  const cookies = Object.entries(identity.cookies)
  if (given === null || cookies.length === 0) return {}
  const proof = method === 'GET' ? undefined : identity.cookies[identity.csrf.cookie]
  return {
    cookie: cookies.map(([name, value]) => `${name}=${value}`).join('; '),
    ...(proof !== undefined && { [identity.csrf.header.toLowerCase()]: decodeURIComponent(proof) }),
  }
}

const TOKEN_NAMES = ['token', 'key', 'access', 'auth_token']

/** The token of a response to a sign-in, at the top or inside `data`. */
export function findToken(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = body as Record<string, unknown>
  const found = TOKEN_NAMES.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : 'data' in fields ? findToken(fields.data) : undefined
}

/** The cookies set by a response, without those it deletes. */
export function readCookies({ headers }: Pick<BackendResponse, 'headers'>): Record<string, string> {
  const pairs = headers.getSetCookie().map((line) => /^\s*([^=;\s]+)=([^;]*)/.exec(line))
  return Object.fromEntries(pairs.flatMap((pair) => (pair?.[2] ? [[pair[1], pair[2]]] : [])))
}

/** Names of the CSRF cookie and header, determined from the cookies that the sign-in sets. */
export function findCsrf(cookies: Record<string, string>): Identity['csrf'] {
  const cookie = Object.keys(cookies).find((name) => /csrf|xsrf/i.test(name))
  if (!cookie || cookie === CSRF_COOKIE) return CSRF
  return { cookie, header: /xsrf/i.test(cookie) ? 'X-XSRF-TOKEN' : 'X-CSRF-Token' }
}

/** The settings for `/config.json`. */
export const toAuth = ({ token, scheme, csrf }: Identity): Auth => ({
  ...(token !== null && { scheme }),
  ...(csrf.cookie !== CSRF_COOKIE && { csrfCookie: csrf.cookie, csrfHeader: csrf.header }),
  ...(token === null && { credentials: 'include' }),
})

/** Reads the existing fields of a configuration; none if there is no such file. */
export function readConfigFile(file: string | undefined): Record<string, unknown> {
  if (file === undefined || !existsSync(file)) return {}
  try {
    const fields: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return { ...fields }
  } catch {}
  throw new CannotRun(`${file} is not a configuration: inspect it, then delete it`)
}

/** Writes a configuration; returns what has to be added to the file by hand. */
export function writeConfigFile(file: string, config: Record<string, unknown>): string[] {
  saveFile(file, `${JSON.stringify(config, null, 2)}\n`)
  try {
    parseConfig(config)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ field, reason }) => `${field} is ${reason}`)
    throw error
  }
}
