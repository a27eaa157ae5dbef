import type { FastifyInstance } from 'fastify'
import { parseForm } from '#server/mock/stripe/api/form.ts'
import { PAGES_PATH } from '#server/mock/stripe/api/provider.ts'
import { mountAuthenticatePages } from '#server/mock/stripe/pages/authenticate-page.ts'
import { mountCheckoutPages } from '#server/mock/stripe/pages/checkout-page.ts'
import { mountInvoicePages } from '#server/mock/stripe/pages/invoice-page.ts'
import type { FindAccount } from '#server/mock/stripe/pages/page-parts.ts'
import { mountPortalPages } from '#server/mock/stripe/pages/portal-page.ts'

/** Deliberately unlike the portal, so that the pages are not mistaken for it. */
const stripeCss = `
:root { color-scheme: light dark; --ground: #f4f5f7; --paper: #fff; --ink: #1c2330; --quiet: #4c5666; --line: #c3c9d4; --accent: #2f4fbf; --on-accent: #fff; --bad: #a3191f; --warn: #ffe08a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171d; --paper: #1e232c; --ink: #eceff4; --quiet: #b1bac8; --line: #465063; --accent: #9db4ff; --on-accent: #10182e; --bad: #ff9b97; --warn: #6b5200; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
.banner { margin: 0; padding: 10px 16px; background: var(--warn); color: var(--ink); font-weight: 600; text-align: center; }
main { max-width: 480px; margin: 24px auto; padding: 24px; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 16px; font-size: 22px; }
table { width: 100%; margin: 0 0 24px; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 0; border-bottom: 1px solid var(--line); font-weight: 400; text-align: start; overflow-wrap: anywhere; }
td { padding-inline-start: 16px; text-align: end; white-space: nowrap; }
tfoot th, tfoot td { border: 0; font-weight: 600; }
label { display: block; margin-top: 16px; font-weight: 600; }
input { width: 100%; min-height: 44px; margin-top: 4px; padding: 8px 12px; border: 1px solid var(--quiet); border-radius: 8px; background: var(--paper); color: var(--ink); font: inherit; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
button, .back { display: block; width: 100%; min-height: 44px; margin-top: 24px; padding: 10px 16px; border: 0; border-radius: 8px; font: inherit; font-weight: 600; text-align: center; }
button { background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.quiet { background: none; border: 1px solid var(--quiet); color: var(--ink); }
h2 { margin: 32px 0 0; font-size: 18px; }
.row { border-bottom: 1px solid var(--line); padding-bottom: 16px; }
.row p { margin: 16px 0 0; }
.row button { margin-top: 12px; }
.back { margin-top: 12px; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { margin: 0 0 16px; padding: 12px; border: 2px solid var(--bad); border-radius: 8px; color: var(--bad); font-weight: 600; }
.cards { margin: 24px 0 0; padding: 0; color: var(--quiet); font-size: 14px; list-style: none; font-variant-numeric: tabular-nums; }
@media (max-width: 520px) { main { margin: 0; border: 0; border-radius: 0; } }
`

/** Imitates the old Stripe.js, which could redirect to a checkout by session id alone. Redirects to the server that served the script. */
const LEGACY_SCRIPT = `(() => {
  const { origin } = new URL(document.currentScript.src)
  window.Stripe = () => ({
    redirectToCheckout: async ({ sessionId }) => {
      location.assign(origin + '${PAGES_PATH}/checkout/' + encodeURIComponent(sessionId))
      return new Promise(() => {})
    },
  })
})()
`

/** Mounts the fake Stripe's hosted pages: checkout, invoices, billing portal and 3-D Secure. They accept test cards only. */
export function mountStripePages(app: FastifyInstance, findAccount: FindAccount) {
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, parseForm(String(body))),
    )
    // Page addresses outlive the process, so a page may be the first request after a restart.
    pages.addHook('preHandler', (request) => findAccount(request).stripe.ready())
    pages.get(`${PAGES_PATH}/style.css`, async (_, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(stripeCss),
    )
    pages.get(`${PAGES_PATH}/stripe.js`, async (_, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(LEGACY_SCRIPT),
    )
    mountCheckoutPages(pages, findAccount)
    mountAuthenticatePages(pages, findAccount)
    mountInvoicePages(pages, findAccount)
    mountPortalPages(pages, findAccount)
  })
}
