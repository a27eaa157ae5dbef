import type { FastifyInstance } from 'fastify'
import { control as contract } from '#contracts/mock/index.ts'
import type { City } from '#db/city/city.ts'
import { referencePage } from '#server/lib/docs.ts'
import { serve } from '#server/lib/serve.ts'
import { clock } from '#server/mock/clock/handlers.ts'
import { entities } from '#server/mock/entities/handlers.ts'
import { events } from '#server/mock/events/handlers.ts'
import { faults } from '#server/mock/faults/handlers.ts'
import { injectFaults } from '#server/mock/faults/inject.ts'
import { jobs } from '#server/mock/jobs/handlers.ts'
import { requests, violations } from '#server/mock/journal/handlers.ts'
import { noteCalls } from '#server/mock/journal/note.ts'
import { payments } from '#server/mock/payments/handlers.ts'
import { scenarios } from '#server/mock/scenarios/handlers.ts'
import { sim } from '#server/mock/sim/handlers.ts'
import { snapshots as snapshotHandlers } from '#server/mock/snapshots/handlers.ts'
import type { Snapshots } from '#server/mock/snapshots/store.ts'
import { stripePages } from '#server/mock/stripe/pages.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import { tileRoutes } from '#server/mock/tiles/routes.ts'
import { worlds as worldHandlers } from '#server/mock/worlds/handlers.ts'
import { followName } from './follow-name.ts'
import { guardControl } from './guard.ts'
import { mailbox } from './mailbox.ts'
import { css } from './mailbox-style.ts'
import { reference } from './reference.ts'
import { signIn } from './sign-in.ts'
import type { MockWorlds } from './worlds.ts'

type Parts = { worlds: MockWorlds; snapshots: Snapshots; city: City; token?: string | undefined }

/** Mounts everything that exists only off production: control plane, mailbox, map tiles, test payment pages. */
export const control =
  ({ worlds, snapshots, city, token }: Parts) =>
  async (app: FastifyInstance) => {
    tellWorldTime(app)
    followName(app, worlds)
    const noteAnswers = noteCalls(app, worlds)
    injectFaults(app, worlds)
    noteAnswers()
    await app.register(async (guarded) => {
      guardControl(guarded, token)
      serve(guarded, contract.worlds, worldHandlers(worlds, snapshots))
      serve(guarded, contract.scenarios, scenarios(worlds))
      serve(guarded, contract.snapshots, snapshotHandlers(worlds, snapshots))
      serve(guarded, contract.entities, entities(worlds, city))
      serve(guarded, contract.clock, clock(worlds))
      serve(guarded, contract.sim, sim(worlds, city))
      serve(guarded, contract.jobs, jobs)
      serve(guarded, contract.faults, faults(worlds))
      serve(guarded, contract.requests, requests(worlds))
      serve(guarded, contract.violations, violations(worlds))
      serve(guarded, contract.events, events(worlds))
      serve(guarded, contract.payments, payments(app, worlds))
      mailbox(guarded, worlds)
      guarded.get('/mock/openapi.json', () => reference())
      await guarded.register((pages) => referencePage(pages, '/mock/docs', reference()))
    })
    app.get('/mock/mailbox/style.css', async (_, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css),
    )
    if (token) signIn(app, token)
    tileRoutes(app, createTiles(city))
    stripePages(app, worlds)
  }

/** Answers carry the time of their world, which the portal follows. */
export function tellWorldTime(app: FastifyInstance) {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.world) reply.header('date', request.world.clock.now().toUTCString())
    done(null, payload)
  })
}
