import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import { control as contract } from '#contracts/mock/index.ts'
import { registerReferencePage } from '#server/http/docs/docs.ts'
import { serve } from '#server/http/serve.ts'
import type { City } from '#server/mock/city/index.ts'
import { firings, silences } from '#server/mock/control/alerts/alerts.handlers.ts'
import { clock, jobs } from '#server/mock/control/handlers/clock.handlers.ts'
import { entities } from '#server/mock/control/handlers/entities.handlers.ts'
import { faults } from '#server/mock/control/handlers/faults.handlers.ts'
import { events, requests, violations } from '#server/mock/control/handlers/journal.handlers.ts'
import { downlinks, hooks, pushes } from '#server/mock/control/handlers/outgoing.handlers.ts'
import { payments } from '#server/mock/control/handlers/payments.handlers.ts'
import { scenarios } from '#server/mock/control/handlers/scenarios.handlers.ts'
import { secondFactor } from '#server/mock/control/handlers/second-factor.handlers.ts'
import { sim } from '#server/mock/control/handlers/sim.handlers.ts'
import { snapshots as snapshotHandlers } from '#server/mock/control/handlers/snapshots.handlers.ts'
import { worlds as worldHandlers } from '#server/mock/control/handlers/worlds.handlers.ts'
import { guardControl } from '#server/mock/control/hooks/control-guard.ts'
import { injectFaults } from '#server/mock/control/hooks/inject-faults.ts'
import { recordRequests } from '#server/mock/control/hooks/record-requests.ts'
import { mailboxCss, mountMailbox } from '#server/mock/mailbox/mailbox.ts'
import { mountWorldStripeApi, mountWorldStripePages } from '#server/mock/payments/mount-stripe.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { addSignInRoutes } from '#server/mock/sign-in/control-sign-in.ts'
import { deeds, staff } from '#server/mock/sign-in/staff.handlers.ts'
import { tilesOf } from '#server/mock/tiles/render.ts'
import { mountTileRoutes } from '#server/mock/tiles/tile-routes.ts'
import { addEntryLinks } from '#server/mock/worlds/enter.ts'
import { followHostName } from '#server/mock/worlds/follow-host-name.ts'
import type { Snapshots } from '#server/mock/worlds/snapshots.store.ts'
import { createWorldOrigins, type WorldOrigins } from '#server/mock/worlds/world-origins.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { buildReference } from './reference.ts'

type Parts = {
  worlds: MockWorlds
  own?: OwnScenarios
  origins?: WorldOrigins
  snapshots: Snapshots
  city: City
  token?: string | undefined
}

/** Mounts everything that exists only outside production: control plane, mailbox, map tiles and the fake Stripe's pages. */
export const createControlPlane =
  ({ worlds, snapshots, city, token, own = new Map(), origins = createWorldOrigins() }: Parts) =>
  async (app: FastifyInstance) => {
    sendWorldTime(app)
    followHostName(app, worlds)
    const noteAnswers = recordRequests(app, worlds)
    const slowAnswers = injectFaults(app, worlds)
    noteAnswers()
    slowAnswers()
    await app.register(async (guarded) => {
      guardControl(guarded, { token, origins })
      serve(guarded, contract.worlds, worldHandlers(worlds, snapshots))
      serve(guarded, contract.scenarios, scenarios(worlds, own))
      serve(guarded, contract.secondFactor, secondFactor)
      serve(guarded, contract.staff, staff(worlds))
      serve(guarded, contract.deeds, deeds(worlds))
      serve(guarded, contract.snapshots, snapshotHandlers(worlds, snapshots))
      serve(guarded, contract.entities, entities(worlds, city))
      serve(guarded, contract.clock, clock(worlds))
      serve(guarded, contract.sim, sim(worlds, city))
      serve(guarded, contract.jobs, jobs)
      serve(guarded, contract.faults, faults(worlds))
      serve(guarded, contract.requests, requests(worlds))
      serve(guarded, contract.violations, violations(worlds))
      serve(guarded, contract.events, events(worlds))
      serve(guarded, contract.downlinks, downlinks(worlds))
      serve(guarded, contract.pushes, pushes(worlds))
      serve(guarded, contract.hooks, hooks(worlds))
      serve(guarded, contract.firings, firings(worlds))
      serve(guarded, contract.silences, silences(worlds))
      serve(guarded, contract.payments, payments(app, worlds))
      mountMailbox(guarded, worlds)
      guarded.get('/mock/openapi.json', () => buildReference())
      await guarded.register((pages) => registerReferencePage(pages, '/mock/docs', buildReference()))
    })
    app.get('/mock/mailbox/style.css', async (_, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(mailboxCss),
    )
    addEntryLinks(app, origins)
    countWorlds(app, worlds)
    if (token) addSignInRoutes(app, token)
    mountTileRoutes(app, tilesOf(city))
    mountWorldStripePages(app, worlds)
    await app.register(async (guarded) => {
      // With a control token the key contains it, so that only its owners can make the server send webhooks.
      if (!token) guardControl(guarded, { token, origins })
      mountWorldStripeApi(app, guarded, worlds, token)
    })
  }

function countWorlds(app: FastifyInstance, worlds: MockWorlds) {
  new Gauge({
    name: 'mock_worlds',
    help: 'Worlds at this moment, the main one included',
    registers: [app.metrics],
    collect() {
      this.set(worlds.all().length)
    },
  })
}

/** Sends the time of the world in the `Date` header, which the portal follows. */
export function sendWorldTime(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.world) reply.header('date', request.world.clock.now().toUTCString())
    done(null, payload)
  })
}
