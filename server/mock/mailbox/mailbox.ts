import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mail } from '#contracts/mock/mail.ts'
import { serve } from '#server/http/serve.ts'
import { preferredLanguage, sendPage } from '#server/mock/lib/html-page.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { findMailInBox, findMailPage, listMailbox, mails } from './mailbox.handlers.ts'
import { renderMailboxPage } from './mailbox-page.ts'

/**
 * Mail programs know only inline styles, so mails have them. A mail can run, load, send and frame nothing; a click on a link leaves it. The
 * mailbox may frame it, and the map is part of the mail.
 */
const MAIL_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')

type Listed = { Querystring: { to?: string } }
type Named = Listed & { Params: { id: string } }

/** Mounts the mailbox of a world: JSON for tests, pages for people. */
export function mountMailbox(app: FastifyInstance, worlds: MockWorlds) {
  serve(app, mail, mails(worlds))
  showInBrowser(app)

  app.get<Listed>('/mock/mailbox', async (request, reply) => sendPage(reply, renderMailboxPage(await buildView(request))))

  app.get<Named>('/mock/mailbox/:id', async (request, reply) => {
    const mail = await findMailInBox(request.world, parseId(request))
    return sendPage(reply.code(mail ? 200 : 404), renderMailboxPage({ ...(await buildView(request)), mail: mail ?? null }))
  })

  app.get<Named>('/mock/mailbox/:id/html', async (request, reply) => {
    const page = await findMailPage(request.world, parseId(request))
    const html = page?.replace('<head>', '<head><base target="_top">') ?? ''
    return sendPage(reply.code(page ? 200 : 404).header('x-frame-options', 'SAMEORIGIN'), html, MAIL_POLICY)
  })
}

/** Displays a mail in the browser instead of saving it, under the same policy as in its frame. */
const showInBrowser = (app: FastifyInstance) =>
  app.addHook('onSend', async ({ routeOptions: { config } }, reply) => {
    const { route } = config
    if (route !== mail.html && route !== mail.text && route !== mail.preview) return
    if (reply.statusCode === 200)
      reply
        .headers({ 'content-disposition': 'inline', 'content-security-policy': MAIL_POLICY })
        .type(`${reply.getHeader('content-type')}; charset=utf-8`)
  })

async function buildView(request: FastifyRequest<Listed>) {
  const to = request.query.to?.trim().toLowerCase() || undefined
  return { mails: await listMailbox(request.world, { to }), to, language: preferredLanguage(request) }
}

/** Anything but a whole number matches no mail. */
const parseId = ({ params: { id } }: FastifyRequest<Named>) => (/^\d{1,15}$/.test(id) ? Number(id) : -1)
