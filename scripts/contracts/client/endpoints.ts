import type { Route } from '#contracts/lib/route.ts'
import { endpointsByName } from '#server/mock/lib/endpoint-requests.ts'
import { CannotRun } from './io.ts'

export type Endpoint = { name: string; route: Route }

const all = [...endpointsByName].map(([name, route]) => ({ name, route }))

/** The calls that a backend is checked for: all except the extras of our server. */
export const endpoints: readonly Endpoint[] = all.filter(({ route }) => route.provenance !== 'ours')

/** Throws if the contract table has no such endpoint. */
export function getEndpoint(name: string): Endpoint {
  const route = endpointsByName.get(name)
  if (!route) throw new Error(`No endpoint is named ${name}`)
  return { name, route }
}

const withoutSlash = (path: string) => path.replace(/\/$/, '')

const countParams = (path: string) => path.split(':').length

/** Paths without parameters first, so that `/devices/live/` does not match `/devices/:id/`. */
const patterns = all
  .map((endpoint) => ({
    endpoint,
    gaps: countParams(endpoint.route.path),
    pattern: new RegExp(`^${withoutSlash(endpoint.route.path).replace(/:\w+/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.gaps - b.gaps)

export const findEndpoint = (method: string, pathname: string) =>
  patterns.find(({ endpoint, pattern }) => endpoint.route.method === method && pattern.test(withoutSlash(pathname)))?.endpoint

/** The parameters in the path of a request; the base of the backend may have a path of its own. */
export function findParams({ path }: Route, pathname: string): Record<string, string | number> {
  const pattern = new RegExp(`${withoutSlash(path).replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
  const found = Object.entries(pattern.exec(withoutSlash(pathname))?.groups ?? {})
  return Object.fromEntries(found.map(([name, text]) => [name, /^\d{1,15}$/.test(text) ? Number(text) : text]))
}

export const PREFLIGHT_CHECKS = [
  'preflight.tls',
  'preflight.auth',
  'preflight.cors',
  'preflight.slash',
  'preflight.json',
  'preflight.clock',
] as const
export type PreflightCheck = (typeof PREFLIGHT_CHECKS)[number]

type Selection = (name: string) => boolean

/** Returns a filter of checks by name or path, where `*` matches anything. Throws if nothing matches. */
export function createFilter(only: string | undefined): Selection {
  if (only === undefined) return () => true
  const glob = new RegExp(`^${only.split('*').map(escapePattern).join('.*')}$`)
  const meant = new Set([
    ...endpoints.filter(({ name, route }) => glob.test(name) || glob.test(route.path)).map(({ name }) => name),
    ...PREFLIGHT_CHECKS.filter((name) => glob.test(name)),
  ])
  if (meant.size === 0) throw new CannotRun(`--only ${only} matches no endpoint; examples: places.list, devices.*, /users/*`)
  return (name) => meant.has(name)
}

const escapePattern = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
