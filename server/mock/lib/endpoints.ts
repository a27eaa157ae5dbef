import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'

/** Every endpoint by its name, such as `orders.list`. */
export const endpointsByName: ReadonlyMap<string, Route> = new Map(
  Object.entries<Contract>(api).flatMap(([resource, contract]) =>
    Object.entries(contract).map(([name, route]) => [`${resource}.${name}`, route] as const),
  ),
)

const ENDPOINT_NAMES = new Map([...endpointsByName].map(([name, route]) => [route, name]))

/** The name of a documented endpoint; undefined for other routes of the server. */
export const findEndpointName = (route: Route | undefined) => route && ENDPOINT_NAMES.get(route)

const API_PREFIXES = new Set([...endpointsByName.values()].map(({ path }) => path.split('/', 2)[1]))

/** Whether a URL lies under a path of the API, even if no such endpoint exists. */
export const isApiPath = (url: string) => API_PREFIXES.has(url.split(/[/?]/, 2)[1])

const withoutSlash = (path: string) => path.replace(/\/$/, '')

const countParams = (path: string) => path.split(':').length

/** Paths without parameters first, so that `/devices/live/` does not match `/devices/:id/`. */
const patterns = [...endpointsByName]
  .map(([name, route]) => ({
    endpoint: { name, route },
    gaps: countParams(route.path),
    pattern: new RegExp(`^${withoutSlash(route.path).replace(/:\w+/g, '[^/]+')}$`),
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
