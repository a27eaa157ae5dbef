import type { FastifyInstance } from 'fastify'
import { mountCheckoutPages } from '#server/mock/stripe/checkout-pages.ts'
import { parseForm } from '#server/mock/stripe/form.ts'
import { mountInvoicePages } from '#server/mock/stripe/invoice-pages.ts'
import { LEGACY_SCRIPT } from '#server/mock/stripe/legacy-script.ts'
import { mountPortalPages } from '#server/mock/stripe/portal-pages.ts'
import { PAGES_PATH } from '#server/mock/stripe/provider.ts'
import { stripeCss } from '#server/mock/stripe/style.ts'
import { deliverEvents } from '#server/mock/stripe/tell.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'

/** Mounts the fake Stripe's hosted pages: checkout, invoices and billing portal. They accept test cards only. */
export function stripePages(app: FastifyInstance, worlds: MockWorlds) {
  const stripeOf = ({ id }: World) => worlds.get(id)!.stripe
  /** Delivers new events to the webhook before the visitor continues. */
  const tellAll = (world: World) => deliverEvents(app, world, stripeOf(world))
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, parseForm(String(body))),
    )
    // Page addresses outlive the process, so a page may be the first request after a restart.
    pages.addHook('preHandler', ({ world }) => stripeOf(world).ready())
    pages.get(`${PAGES_PATH}/style.css`, async (_, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(stripeCss),
    )
    pages.get(`${PAGES_PATH}/stripe.js`, async (_, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(LEGACY_SCRIPT),
    )
    mountCheckoutPages(pages, stripeOf, tellAll)
    mountInvoicePages(pages, stripeOf, tellAll)
    mountPortalPages(pages, stripeOf, tellAll)
  })
}
