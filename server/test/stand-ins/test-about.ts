import { endpointsByName } from '#server/mock/lib/endpoints.ts'
import type { About } from './habit.ts'

/** The context of a request to an endpoint. */
export function aboutEndpoint(name: string, { path, query = '' }: { path?: string; query?: string } = {}): About {
  const route = endpointsByName.get(name)!
  return {
    method: route.method,
    path: path ?? route.path.replace(/:\w+/g, '2'),
    query: new URLSearchParams(query),
    origin: 'http://api.test',
    route,
  }
}
