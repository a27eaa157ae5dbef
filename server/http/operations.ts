import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Db } from '#db/db.ts'
import { Failure } from '#server/lib/errors.ts'
import { isSameSecret } from '#server/lib/secrets.ts'

/** Without a token nobody may read the metrics. */
export type MetricsAccess = { token: string | undefined }

declare module 'fastify' {
  interface FastifyInstance {
    /** What `/metrics` shows. */
    metrics: Registry
  }
}

export const createMetrics = (app: FastifyInstance) => app.decorate('metrics', new Registry())

/** Serves `/healthz` (process alive), `/readyz` (database and migrations) and `/metrics` (Prometheus). */
export function registerOperations(app: FastifyInstance, metrics?: MetricsAccess) {
  const registry = app.metrics
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    seconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    if (await isReady(request.world.db)) return { status: 'ready' }
    return reply.code(503).send({ status: 'database not ready' })
  })
  app.get('/metrics', async ({ headers }, reply) => {
    if (metrics && !isSameSecret(headers.authorization ?? '', `Bearer ${metrics.token ?? randomUUID()}`)) throw new Failure('not_found')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  app.addHook('onClose', async () => registry.clear())
}

async function isReady(db: Pick<Db, 'isReady'>) {
  try {
    return await db.isReady()
  } catch {
    return false
  }
}
