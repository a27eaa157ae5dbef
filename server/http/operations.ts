import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { explainDbFault } from '#db/classify-error.ts'
import type { Db } from '#db/db.ts'
import { countRequests } from '#server/http/metrics/count-requests.ts'
import { createCounterMetrics } from '#server/http/metrics/counters.ts'
import { Failure } from '#server/lib/errors.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import type { ClockGuard } from '#server/ports/clock.ts'
import type { World } from '#server/ports/world.ts'

/** Without a token nobody may read the metrics. */
export type MetricsAccess = { token: string | undefined }

declare module 'fastify' {
  interface FastifyInstance {
    /** The sources of `/metrics`. */
    metrics: Registry
    /** Whether the process is shutting down and serves only until the load balancer has noticed. */
    draining: { hasBegun: boolean }
  }
}

/** Seconds by which the oldest due work of each kind is late. */
type ReadLag = (world: World) => Promise<Record<string, number>>

type OperationsOptions = { readLag: ReadLag; clockGuard?: ClockGuard | undefined; metrics?: MetricsAccess | undefined }

export const createMetrics = (app: FastifyInstance) => app.decorate('metrics', new Registry())

/** Serves `/healthz` (process alive), `/readyz` (what requests depend on) and `/metrics` (Prometheus). */
export function registerOperations(app: FastifyInstance, { readLag, clockGuard, metrics }: OperationsOptions) {
  const registry = app.metrics
  app.decorate('draining')
  app.draining = { hasBegun: false }
  const measure = createWorldMetrics(registry, readLag)
  countRequests(app)
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
    const checked = await checkReadiness(request.world, clockGuard ? [{ name: 'clock', check: async () => checkClock(clockGuard) }] : [])
    const failed = checked.filter(({ state }) => state !== 'ok')
    const process = app.draining.hasBegun ? 'draining' : 'ok'
    const states = Object.fromEntries(checked.map(({ name, state }) => [name, state]))
    const dependencies = { ...states, ...readReplicas(request.world.db), process }
    if (failed.length === 0 && process === 'ok') return { status: 'ready', ...dependencies }
    const reasons = [...failed.flatMap(({ reason }) => reason ?? []), ...(process === 'ok' ? [] : ['The server is shutting down.'])]
    return reply.code(503).send({ status: failed[0] ? `${failed[0].name} not ready` : process, ...dependencies, reasons })
  })
  app.get('/metrics', async ({ headers, world }, reply) => {
    if (metrics && !isSameSecret(headers.authorization ?? '', `Bearer ${metrics.token ?? randomUUID()}`)) throw new Failure('not_found')
    await measure(world)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  app.addHook('onClose', async () => registry.clear())
}

function checkClock(guard: ClockGuard): Dependency {
  if (guard.isTrusted()) return { name: 'clock', state: 'ok' }
  return { name: 'clock', state: 'in doubt', reason: guard.state().reason ?? '' }
}

/** The server is ready without its replicas, because the primary replaces them. */
function readReplicas(db: Pick<Db, 'stats'>) {
  const replicas = db.stats?.().replicas?.each
  return replicas && { replicas: replicas.every(({ state }) => state === 'ok') ? 'ok' : 'degraded' }
}

/** Returns the function that reads metrics from the database, at each request for the metrics. */
function createWorldMetrics(registry: Registry, readLag: ReadLag) {
  const registers = [registry]
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Connections to the database, and requests that wait for one',
    labelNames: ['state'],
    registers,
  })
  const transactions = new Counter({
    name: 'database_transactions_total',
    help: 'Transactions committed, retried after a conflict, and failed because the database was locked, full, gone or in conflict too often',
    labelNames: ['outcome'],
    registers,
  })
  const notice = new Gauge({ name: 'live_notice_age_seconds', help: 'Time since a server announced a live event', registers })
  const replicaLag = new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'By how much a replica is behind; absent while it does not answer',
    labelNames: ['replica'],
    registers,
  })
  const historyReads = new Counter({
    name: 'history_reads_total',
    help: 'Reads of history, by a replica or the reason why the primary answered: behind, failed, missing a change',
    labelNames: ['outcome'],
    registers,
  })
  const late = new Gauge({
    name: 'oldest_due_seconds',
    help: 'By how much the oldest due work is late',
    labelNames: ['work'],
    registers,
  })
  const copyCounts = createCounterMetrics([registry])
  return async (world: World) => {
    copyCounts(world)
    transactions.reset()
    for (const [outcome, count] of Object.entries(world.db.transactions)) transactions.inc({ outcome }, count)
    const stats = world.db.stats?.()
    if (stats) {
      const { total, idle, waiting, noticeAge } = stats
      for (const [state, count] of Object.entries({ total, idle, waiting })) connections.set({ state }, count)
      if (noticeAge !== null) notice.set(noticeAge)
      replicaLag.reset()
      for (const { name, lag } of stats.replicas?.each ?? []) if (lag !== null) replicaLag.set({ replica: name }, lag)
      historyReads.reset()
      for (const [outcome, count] of Object.entries(stats.replicas?.reads ?? {})) historyReads.inc({ outcome }, count)
    }
    try {
      for (const [work, seconds] of Object.entries(await readLag(world))) late.set({ work }, seconds)
    } catch {
      // If the database is unreachable, the other metrics are still served.
      late.reset()
    }
  }
}

/**
 * A dependency of the server: its state in a word, `ok` while it works. Otherwise `reason` is a sentence for the operator. Anybody may read
 * both, so they name no host, no user and no person.
 */
type Dependency = { name: string; state: string; reason?: string }

/** Rejects or takes longer than a second if its dependency fails. */
type ReadinessCheck = { name: string; check(world: World): Promise<Dependency> }

const READINESS_LIMIT_MS = 1000

/** A load balancer sends no requests while one of these is not ok. */
const CHECKS: readonly ReadinessCheck[] = [{ name: 'database', check: checkDatabase }]

/** Returns the state of each dependency, and of `more` of them, all within a second. */
const checkReadiness = (world: World, more: readonly ReadinessCheck[] = []) =>
  Promise.all([...CHECKS, ...more].map((each) => checkInTime(world, each)))

async function checkInTime(world: World, { name, check }: ReadinessCheck): Promise<Dependency> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Dependency>((resolve) => {
    timer = setTimeout(resolve, READINESS_LIMIT_MS, { name, state: 'failed', reason: `The ${name} does not answer within a second.` })
  })
  const failed = (error: unknown) => ({ name, state: 'failed', reason: explainDbFault(error) })
  return Promise.race([check(world).catch(failed), limit]).finally(() => clearTimeout(timer))
}

async function checkDatabase({ db }: World): Promise<Dependency> {
  if (await db.isReady()) return { name: 'database', state: 'ok' }
  return { name: 'database', state: 'not ready', reason: 'A migration of this release has not run.' }
}
