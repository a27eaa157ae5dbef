import type { FastifyInstance } from 'fastify'
import { mock } from '#contracts/mock.ts'
import type { City } from '#db/city/city.ts'
import { serve } from '#server/lib/serve.ts'
import { controls } from './handlers.ts'
import { mailbox } from './mailbox.ts'
import { stripePages } from './stripe/pages.ts'
import { createTiles } from './tiles/render.ts'
import { tileRoutes } from './tiles/routes.ts'
import type { MockWorlds } from './worlds.ts'

/** Mounts everything that exists only off production: control plane, map tiles, mailbox, test payment pages. */
export const control =
  ({ worlds, city }: { worlds: MockWorlds; city: City }) =>
  async (app: FastifyInstance) => {
    serve(app, mock, controls(worlds))
    tileRoutes(app, createTiles(city))
    mailbox(app)
    stripePages(app, worlds)
  }
