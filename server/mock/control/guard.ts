import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#server/lib/errors.ts'
import { sameSecret } from '#server/lib/secrets.ts'
import { languageOf, show } from '#server/mock/lib/page.ts'
import { isSignedIn, isVisit } from '#server/mock/sign-in/sign-in.ts'
import { signInPage } from '#server/mock/sign-in/sign-in-page.ts'

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?$/

/**
 * Who may steer the mock server: with a control token, whoever shows it or has signed in with it; without one (loopback only), calls that a page of
 * another site can't forge: the host must be local (DNS rebinding) and the browser must say it is the same site; one too old to say so
 * still names the origin of whatever a page sends.
 */
export function guardControl(app: FastifyInstance, token: string | undefined) {
  app.addHook('onRequest', async (request, reply) => {
    if (token ? shows(request, token) || isSignedIn(request, token) : isLocal(request)) return
    if (token && isVisit(request)) return show(reply.code(403), signInPage(languageOf(request)))
    throw new Failure('permission_denied')
  })
}

const shows = (request: FastifyRequest, token: string) => sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)

function isLocal({ headers }: FastifyRequest) {
  const site = headers['sec-fetch-site'] ?? 'none'
  return LOCAL.test(headers.host ?? '') && ['none', 'same-origin'].includes(String(site)) && isOwn(headers)
}

/** Whether a page of this very host sends it, as far as the browser says; one that says nothing is no page. */
export const isOwn = ({ origin, host }: FastifyRequest['headers']) =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`
