import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'

/** Every endpoint by its name, such as `orders.list`. */
export const namedRoutes: ReadonlyMap<string, Route> = new Map(
  Object.entries<Contract>(api).flatMap(([resource, contract]) =>
    Object.entries(contract).map(([name, route]) => [`${resource}.${name}`, route] as const),
  ),
)

const ENDPOINT_NAMES = new Map([...namedRoutes].map(([name, route]) => [route, name]))

/** The name of a documented endpoint; undefined for other routes of the server. */
export const nameOf = (route: Route | undefined) => route && ENDPOINT_NAMES.get(route)

const API_PREFIXES = new Set([...namedRoutes.values()].map(({ path }) => path.split('/', 2)[1]))

/** Whether a URL lies under a path of the API, even if no such endpoint exists. */
export const isOfApi = (url: string) => API_PREFIXES.has(url.split(/[/?]/, 2)[1])
