import { api } from '#contracts/index.ts'
import type { Contract, Route } from '#contracts/lib/route.ts'

/** Every call of the documented API by its name, such as `orders.list`. */
export const namedRoutes: ReadonlyMap<string, Route> = new Map(
  Object.entries<Contract>(api).flatMap(([resource, contract]) =>
    Object.entries(contract).map(([name, route]) => [`${resource}.${name}`, route] as const),
  ),
)

const names = new Map([...namedRoutes].map(([name, route]) => [route, name]))

/** The name of a documented call; undefined for everything else that the server answers. */
export const nameOf = (route: Route | undefined) => route && names.get(route)

const beginnings = new Set([...namedRoutes.values()].map(({ path }) => path.split('/', 2)[1]))

/** Whether an address is of the API, be there such a call or not. */
export const isOfApi = (url: string) => beginnings.has(url.split(/[/?]/, 2)[1])
