import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import { Failure } from '#server/lib/errors.ts'
import type { ClockGuard } from '#server/ports/clock.ts'

/** How long a caller waits before the next attempt. */
const RETRY_MS = 60_000
/** Routes outside the contract that read or write time-dependent data. */
const TIMED_ROUTE = /^\/(ingest|stripe|mail|photos|pub)\//

/**
 * Responds with 503 to every call while the clock is in doubt, before anything is read: devices keep their data, no session looks expired,
 * and nothing is written with a wrong time. The portal's files are served.
 */
export function refuseInDoubt(app: FastifyInstance, guard: ClockGuard) {
  app.addHook('onRequest', async ({ routeOptions: { url, config } }) => {
    const isCall = config.route !== undefined || TIMED_ROUTE.test(url ?? '')
    if (!isCall || guard.isTrusted()) return
    const failure = new Failure('unavailable')
    failure.retryAfter = RETRY_MS / 1000
    throw failure
  })
  new Gauge({
    name: 'clock_offset_seconds',
    help: 'By how much the clock is ahead of the one that it was compared with',
    registers: [app.metrics],
    collect() {
      this.set(guard.state().offset / 1000)
    },
  })
}
