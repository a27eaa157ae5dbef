import type { FastifyInstance, FastifyRequest } from 'fastify'
import { api } from '#contracts/index.ts'
import { control } from '#contracts/mock/index.ts'
import { recordEndpoint } from './calls.ts'

/** Endpoints by the name of their contract, such as `places.create`, or `mock.clock.advance` of the control plane. */
const endpoints = [
  ...Object.entries(api),
  ...Object.entries(control).map(([name, contract]) => [`mock.${name}`, contract] as const),
].flatMap(([room, contract]) =>
  Object.entries(contract).map(([name, { method, path }]) => ({ name: `${room}.${name}`, method, path: String(path) })),
)

const names = new Map(endpoints.map(({ name, method, path }) => [`${method} ${path}`, name]))

/** In a run that records: notes what the server calls for each request. */
export function recordEndpoints(app: FastifyInstance) {
  if (!globalThis.__recordedCalls) return
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('onRequest', async (request) => {
    const { route } = request.routeOptions.config
    const name = route && names.get(`${route.method} ${route.path}`)
    if (name) ends.set(request, recordEndpoint(name))
  })
  app.addHook('onResponse', async (request) => ends.get(request)?.())
}

const patterns = endpoints.map(({ name, method, path }) => {
  const pattern = path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')
  return { name, method, pattern: new RegExp(`^${pattern}/?$`) }
})

/** The names of the endpoints that a request such as `POST /places/` can mean. */
export const findEndpoints = (request: string) => {
  const [method, path = ''] = request.split(' ')
  return patterns.filter((each) => each.method === method && each.pattern.test(path)).map(({ name }) => name)
}
