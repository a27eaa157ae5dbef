import type { FastifyInstance } from 'fastify'
import { CSRF_HEADER } from '#contracts/lib/constants.ts'

export type CorsOrigins = readonly string[] | 'any'

/** Adds CORS headers for these origins to every response, errors included: without them a browser hides the response. */
export function cors(app: FastifyInstance, origins: CorsOrigins) {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (!origin || (origins !== 'any' && !origins.includes(origin))) return done()
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
      'access-control-expose-headers': 'Content-Disposition, Date, ETag, Retry-After',
    })
    if (request.method !== 'OPTIONS') return done()
    reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': `Authorization, Content-Type, If-None-Match, Last-Event-ID, X-World, ${CSRF_HEADER}`,
      'access-control-max-age': '600',
    })
    reply.code(204).send()
  })
}
