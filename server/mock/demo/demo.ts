import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { control } from '#contracts/mock/index.ts'
import type { Config } from '#server/config.ts'
import { serve } from '#server/http/serve.ts'
import type { City } from '#server/mock/city/index.ts'
import { sendWorldTime } from '#server/mock/control/control.ts'
import { clock } from '#server/mock/control/handlers/clock.handlers.ts'
import { scenarios } from '#server/mock/control/handlers/scenarios.handlers.ts'
import { sim } from '#server/mock/control/handlers/sim.handlers.ts'
import { injectFaults } from '#server/mock/control/hooks/inject-faults.ts'
import { injectScript } from '#server/mock/control/hooks/inject-script.ts'
import { mailboxCss, mountMailbox } from '#server/mock/mailbox/mailbox.ts'
import { mountWorldStripePages } from '#server/mock/payments/mount-stripe.ts'
import { staff } from '#server/mock/sign-in/staff.handlers.ts'
import { tilesOf } from '#server/mock/tiles/render.ts'
import { mountTileRoutes } from '#server/mock/tiles/tile-routes.ts'
import { followHostName } from '#server/mock/worlds/follow-host-name.ts'
import type { Templates } from '#server/mock/worlds/templates.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import type { Log } from '#server/ports/world.ts'
import { mountDemoRoutes } from './demo-routes.ts'
import { createDemoWorlds } from './demo-worlds.ts'
import { mountEntrances } from './enter.ts'
import { CLOCK_LIMITS, ROOM, type Room } from './limits.ts'
import { mountShare, openShares, type Shares } from './shares.ts'
import { steering, steeringHandlers } from './steering.handlers.ts'
import { guardControlPlane, guardVisitors } from './visitor-guard.ts'
import { createVisits, type Visits } from './visits.ts'

type Parts = {
  visits: Visits
  shares: Shares
  lobby: MockWorld
  city: City
  token: string | undefined
  productName: string
  wall: Clock
  room: Room
}

/** Mounts the additions of a public demo. There is no request journal: visitors could fill it, and nothing uses it. */
const mountDemo = (parts: Parts) => async (app: FastifyInstance) => {
  const { city, token, lobby } = parts
  const { worlds } = parts.visits
  sendWorldTime(app)
  guardVisitors(app, parts)
  const { turnAway } = mountDemoRoutes(app, parts)
  mountEntrances(app, { ...parts, turnAway })
  followHostName(app, worlds)
  injectFaults(app, worlds)()
  injectScript(app, '/demo/bar.js')
  await app.register(async (guarded) => {
    guardControlPlane(guarded, { token, lobby })
    serve(guarded, steering, steeringHandlers(worlds))
    serve(guarded, control.scenarios, scenarios(worlds, new Map()))
    serve(guarded, control.staff, staff(worlds))
    serve(guarded, control.clock, clock(worlds, CLOCK_LIMITS))
    serve(guarded, control.sim, sim(worlds, city))
    mountMailbox(guarded, worlds)
    mountShare(guarded, parts.visits, parts.shares)
  })
  app.get('/mock/mailbox/style.css', async (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxCss),
  )
  mountTileRoutes(app, tilesOf(city))
  mountWorldStripePages(app, worlds)
}

/** A world advances on every fifth tick: hundreds of worlds on every tick would take half a core. */
const TICKS_PER_PLAY = 5

type Options = { log: Log; wall?: Clock; city?: City; templates?: Templates; room?: Room }

export function createDemoStack(config: Config, { wall = systemClock, room = ROOM, ...options }: Options) {
  const { city, lobby, worlds } = createDemoWorlds(config, { ...options, wall })
  const visits = createVisits(worlds, lobby, wall, room)
  const shares = openShares(path.join(config.DATA_DIR, 'shares'), wall)
  const { CONTROL_TOKEN: token, PRODUCT_NAME: productName } = config
  let tick = 0
  return {
    worlds: visits.worlds,
    extend: mountDemo({ visits, shares, lobby, city, token, productName, wall, room }),
    turn(): MockWorld[] {
      tick++
      return visits.worlds.all().filter((world, index) => world !== lobby && index % TICKS_PER_PLAY === tick % TICKS_PER_PLAY)
    },
    text: `
  The demo is running, with a world for each visitor.

    Start page     ${lobby.origin}/demo

  Stop with Ctrl-C. Limits: docs/demo.md

`,
  }
}
