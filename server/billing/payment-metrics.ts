import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { countUnexplained } from '#server/billing/records/unexplained.store.ts'
import type { World } from '#server/ports/world.ts'

/** Counts the payments that need an operator, at each request for the metrics. */
export function registerPaymentMetrics(app: FastifyInstance) {
  let world: World | undefined
  new Gauge({
    name: 'payments_unexplained',
    help: 'Payments at the card provider that nothing here explains and that no operator has accepted',
    registers: [app.metrics],
    async collect() {
      this.reset()
      try {
        if (world) this.set(await countUnexplained(world.db.read))
      } catch {
        // If the database is unreachable, the other metrics are still served.
      }
    },
  })
  app.addHook('onRoute', (route) => {
    if (route.url === '/metrics')
      route.preHandler = async (request: FastifyRequest) => {
        world = request.world
      }
  })
}
