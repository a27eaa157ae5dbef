import type { FastifyInstance } from 'fastify'
import { control } from '#contracts/mock/index.ts'
import type { City } from '#db/city/city.ts'
import type { Clock } from '#server/lib/clock.ts'
import { serve } from '#server/lib/serve.ts'
import { clock } from '#server/mock/clock/handlers.ts'
import { tellWorldTime } from '#server/mock/control.ts'
import { injectFaults } from '#server/mock/faults/inject.ts'
import { followName } from '#server/mock/follow-name.ts'
import { injectScript } from '#server/mock/inject-script.ts'
import { mailbox } from '#server/mock/mailbox.ts'
import { css } from '#server/mock/mailbox-style.ts'
import { scenarios } from '#server/mock/scenarios/handlers.ts'
import { sim } from '#server/mock/sim/handlers.ts'
import { stripePages } from '#server/mock/stripe/pages.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import { tileRoutes } from '#server/mock/tiles/routes.ts'
import type { MockWorld } from '#server/mock/world.ts'
import { enter } from './enter.ts'
import { guardSteering, guardVisitors } from './guard.ts'
import { CLOCK } from './limits.ts'
import { demoRoutes } from './routes.ts'
import { share } from './share.ts'
import type { Shares } from './shares.ts'
import { steer, steering } from './steering.ts'
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

/** Mounts what a public demo has beside the API. It keeps no journal: a visitor could fill it, and nobody reads it. */
export const demo = (parts: Parts) => async (app: FastifyInstance) => {
  const { city, token, lobby } = parts
  const { worlds } = parts.visits
  tellWorldTime(app)
  guardVisitors(app, parts)
  const { turnAway } = demoRoutes(app, parts)
  enter(app, { ...parts, turnAway })
  followName(app, worlds)
  injectFaults(app, worlds)
  injectScript(app, '/demo/bar.js')
  await app.register(async (guarded) => {
    guardSteering(guarded, { token, lobby })
    serve(guarded, steering, steer(worlds))
    serve(guarded, control.scenarios, scenarios(worlds))
    serve(guarded, control.clock, clock(worlds, CLOCK))
    serve(guarded, control.sim, sim(worlds, city))
    mailbox(guarded, worlds)
    share(guarded, parts.visits, parts.shares)
  })
  app.get('/mock/mailbox/style.css', async (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css),
  )
  tileRoutes(app, createTiles(city))
  stripePages(app, worlds)
}
