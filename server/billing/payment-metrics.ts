import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { countUnexplained } from '#server/billing/records/unexplained.store.ts'
import type { World } from '#server/ports/world.ts'

/** Counts, at each request for the metrics, the payments that an operator has to look at. */
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
        // Without its database a server still shows the rest.
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
