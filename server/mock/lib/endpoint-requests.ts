import type { FastifyRequest } from 'fastify'
import type { Route } from '#contracts/lib/route.ts'
import type { CallMatch } from '#contracts/mock/faults.ts'
import { findViewer } from '#db/scope.ts'
import { SESSION_COOKIE } from '#server/http/access/access.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { endpointsByName, findEndpointName, isApiPath } from './endpoints.ts'

/** A request to a documented endpoint, or to a path of the API without one; `user` is the e-mail of the signed-in user. */
export type EndpointRequest = { name: string; method: string; path: string; route: Route | undefined; user: string | null }

/** A request under a path of the API that has no endpoint; undefined for all others. */
export function describeUnknownRequest(request: FastifyRequest, user: string | null): EndpointRequest | undefined {
  if (request.routeOptions.config.route || !isApiPath(request.url)) return undefined
  return { name: '', method: request.method, path: request.url.split('?', 1)[0]!, route: undefined, user }
}

/** Returns undefined for requests outside the contract. */
export function describeRequest(request: FastifyRequest, user: string | null): EndpointRequest | undefined {
  const { route } = request.routeOptions.config
  const name = findEndpointName(route)
  if (!route || !name) return undefined
  return { name, method: request.method, path: request.url.split('?', 1)[0]!, route, user }
}

/** Finds the signed-in user's e-mail before the server authenticates, because faults apply before that. */
export async function findUserEmail({ headers, cookies, world: { db, clock } }: FastifyRequest) {
  const secret = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? cookies[SESSION_COOKIE]
  const viewer = secret && (await findViewer(db.read, sha256(secret), clock.now()))
  return viewer ? viewer.email : null
}

export const matchesRequest = (call: EndpointRequest, { method, route, persona, access }: CallMatch) =>
  (method === undefined || method === call.method) &&
  (route === undefined || matchesRoute(call, route)) &&
  (persona === undefined || matchesUser(call.user, persona)) &&
  (access === undefined || (call.route !== undefined && access === accessLevel(call.route)))

/** Whether the name or path matches any endpoint; a path with wildcards is always accepted. */
export const isKnownRoute = (route: string) =>
  (route.startsWith('/') && route.includes('*')) ||
  [...endpointsByName].some(([name, { path }]) =>
    route.startsWith('/') ? matchesPattern(path, withoutTrailingSlash(route)) : matchesPattern(route, name),
  )

const matchesRoute = ({ name, path, route: documented }: EndpointRequest, route: string) =>
  route.startsWith('/')
    ? withoutTrailingSlash(route) === withoutTrailingSlash(documented?.path ?? path) ||
      matchesPattern(route, withoutTrailingSlash(path)) ||
      matchesPattern(route, path)
    : matchesPattern(route, name)

const withoutTrailingSlash = (path: string) => path.replace(/\/$/, '')

/** Parts of a pattern that stand for any text, and for one or more characters of a path segment. */
const ANY = Symbol('*')
const FIRST_OF_PART = Symbol(':')
const REST_OF_PART = Symbol(':…')
type Token = string | typeof ANY | typeof FIRST_OF_PART | typeof REST_OF_PART

/**
 * Whether a text matches a pattern, in which `*` stands for anything and the parameters of a documented path for a segment. Tracks all
 * possible matches in parallel, because a regular expression with many wildcards can take too long.
 */
function matchesPattern(pattern: string, text: string) {
  const tokens = toTokens(withoutTrailingSlash(pattern))
  const open = (states: Set<number>, at: number) => {
    states.add(at)
    if (tokens[at] === ANY || tokens[at] === REST_OF_PART) open(states, at + 1)
    return states
  }
  let states = open(new Set(), 0)
  for (const char of text) {
    const next = new Set<number>()
    for (const at of states) {
      const token = tokens[at]
      const isWithin = token === ANY || (token === REST_OF_PART && char !== '/')
      if (isWithin) open(next, at)
      else if (token === char || (token === FIRST_OF_PART && char !== '/')) open(next, at + 1)
    }
    if (next.size === 0) return false
    states = next
  }
  return states.has(tokens.length)
}

const toTokens = (pattern: string): Token[] =>
  (pattern.match(/\*+|:\w+|./gsu) ?? []).flatMap((part): Token[] => {
    if (part.startsWith('*')) return [ANY]
    return /^:./.test(part) ? [FIRST_OF_PART, REST_OF_PART] : [part]
  })

const matchesUser = (user: string | null, persona: string) => user === persona.toLowerCase() || user?.split('@')[0] === persona

const accessLevel = ({ access }: Route) => (typeof access === 'string' ? access : 'signed_in')
