import type { FastifyInstance } from 'fastify'
import { parseForm } from '#server/mock/stripe/api/form.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { mountCheckoutPages } from '#server/mock/stripe/pages/checkout-page.ts'
import { mountInvoicePages } from '#server/mock/stripe/pages/invoice-page.ts'
import { LEGACY_SCRIPT, stripeCss } from '#server/mock/stripe/pages/page-assets.ts'
import { mountPortalPages } from '#server/mock/stripe/pages/portal-page.ts'
import { deliverEvents } from '#server/mock/stripe/webhooks.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'

/** Mounts the fake Stripe's hosted pages: checkout, invoices and billing portal. They accept test cards only. */
export function mountStripePages(app: FastifyInstance, worlds: MockWorlds) {
  const getStripe = ({ id }: World) => worlds.get(id)!.stripe
  const deliverNewEvents = (world: World) => deliverEvents(app, world, getStripe(world))
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, parseForm(String(body))),
    )
    // Page addresses outlive the process, so a page may be the first request after a restart.
    pages.addHook('preHandler', ({ world }) => getStripe(world).ready())
    pages.get(`${PAGES_PATH}/style.css`, async (_, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(stripeCss),
    )
    pages.get(`${PAGES_PATH}/stripe.js`, async (_, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(LEGACY_SCRIPT),
    )
    mountCheckoutPages(pages, getStripe, deliverNewEvents)
    mountInvoicePages(pages, getStripe, deliverNewEvents)
    mountPortalPages(pages, getStripe, deliverNewEvents)
  })
}
