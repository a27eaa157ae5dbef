import type { FastifyInstance } from 'fastify'
import { control } from '#contracts/mock/index.ts'
import { serve } from '#server/http/serve.ts'
import type { City } from '#server/mock/city/city.ts'
import { clock } from '#server/mock/control/clock.handlers.ts'
import { tellWorldTime } from '#server/mock/control/control.ts'
import { injectFaults } from '#server/mock/control/inject.ts'
import { injectScript } from '#server/mock/control/inject-script.ts'
import { stripePages } from '#server/mock/control/pages.ts'
import { scenarios } from '#server/mock/control/scenarios.handlers.ts'
import { sim } from '#server/mock/control/sim.handlers.ts'
import { mountMailbox } from '#server/mock/mailbox/mailbox.ts'
import { mailboxCss } from '#server/mock/mailbox/mailbox-style.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import { mountTileRoutes } from '#server/mock/tiles/routes.ts'
import { followName } from '#server/mock/worlds/follow-name.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { Clock } from '#server/ports/clock.ts'
import { mountEntrances } from './enter.ts'
import { guardControlPlane, guardVisitors } from './guard.ts'
import { CLOCK_LIMITS } from './limits.ts'
import { mountDemoRoutes } from './routes.ts'
import { mountShare } from './share.ts'
import type { Shares } from './shares.ts'
import { steering, steeringHandlers } from './steering.ts'
import type { Visits } from './visits.ts'

type Parts = {
  visits: Visits
  shares: Shares
  lobby: MockWorld
  city: City
  token: string | undefined
  productName: string
  wall: Clock
}

/** Mounts the additions of a public demo. There is no request journal: visitors could fill it, and it is not used. */
export const mountDemo = (parts: Parts) => async (app: FastifyInstance) => {
  const { city, token, lobby } = parts
  const { worlds } = parts.visits
  tellWorldTime(app)
  guardVisitors(app, parts)
  const { turnAway } = mountDemoRoutes(app, parts)
  mountEntrances(app, { ...parts, turnAway })
  followName(app, worlds)
  injectFaults(app, worlds)
  injectScript(app, '/demo/bar.js')
  await app.register(async (guarded) => {
    guardControlPlane(guarded, { token, lobby })
    serve(guarded, steering, steeringHandlers(worlds))
    serve(guarded, control.scenarios, scenarios(worlds))
    serve(guarded, control.clock, clock(worlds, CLOCK_LIMITS))
    serve(guarded, control.sim, sim(worlds, city))
    mountMailbox(guarded, worlds)
    mountShare(guarded, parts.visits, parts.shares)
  })
  app.get('/mock/mailbox/style.css', async (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxCss),
  )
  mountTileRoutes(app, createTiles(city))
  stripePages(app, worlds)
}
