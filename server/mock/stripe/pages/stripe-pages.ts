import type { FastifyInstance } from 'fastify'
import { parseForm } from '#server/mock/stripe/api/form.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { mountAuthenticatePages } from '#server/mock/stripe/pages/authenticate-page.ts'
import { mountCheckoutPages } from '#server/mock/stripe/pages/checkout-page.ts'
import { mountInvoicePages } from '#server/mock/stripe/pages/invoice-page.ts'
import { LEGACY_SCRIPT, stripeCss } from '#server/mock/stripe/pages/page-assets.ts'
import type { DeliverEvents, GetStripe } from '#server/mock/stripe/pages/page-parts.ts'
import { mountPortalPages } from '#server/mock/stripe/pages/portal-page.ts'

/** Mounts the fake Stripe's hosted pages: checkout, invoices, billing portal and 3-D Secure. They accept test cards only. */
export function mountStripePages(app: FastifyInstance, getStripe: GetStripe, deliverNewEvents: DeliverEvents) {
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
    mountAuthenticatePages(pages, getStripe, deliverNewEvents)
    mountInvoicePages(pages, getStripe, deliverNewEvents)
    mountPortalPages(pages, getStripe, deliverNewEvents)
  })
}
