import type { Route } from '#contracts/lib/route.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import type { AnyExample } from './all.ts'

/** The path with its parameters filled in, and the query. */
export function buildUrl(route: Route, { params = {}, query = {} }: AnyExample) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

/** Headers that authenticate a request: a session token, a device key, or none. */
export const authHeaders = (route: Route, token: string | null): Record<string, string> => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(route.access === 'device' && { 'x-device-key': DEVICE_KEY }),
})
