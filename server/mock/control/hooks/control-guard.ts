import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#server/lib/errors.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import { preferredLanguage, sendPage } from '#server/mock/lib/html-page.ts'
import { isMailboxVisit, isSignedIn, renderSignInPage } from '#server/mock/sign-in/control-sign-in.ts'
import type { WorldOrigins } from '#server/mock/worlds/world-origins.ts'

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?$/

/**
 * Protects the control plane. With a control token, it admits requests that carry it or belong to a session signed in with it. Without one
 * (loopback only), it admits requests that a page of another site can't forge: the host must be local or that of a world, against DNS rebinding, and
 * `Sec-Fetch-Site` must not name another site. Browsers too old for that header still send `Origin`.
 */
export function guardControl(app: FastifyInstance, { token, origins }: { token: string | undefined; origins: WorldOrigins }) {
  app.addHook('onRequest', async (request, reply) => {
    if (token ? hasToken(request, token) || isSignedIn(request, token) : isLocal(request, origins)) return
    if (token && isMailboxVisit(request)) return sendPage(reply.code(403), renderSignInPage(preferredLanguage(request)))
    throw new Failure('permission_denied')
  })
}

const hasToken = (request: FastifyRequest, token: string) => isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)

function isLocal({ headers, hostname }: FastifyRequest, { readId }: WorldOrigins) {
  const site = headers['sec-fetch-site'] ?? 'none'
  const isKnown = LOCAL_HOST.test(headers.host ?? '') || readId(hostname) !== undefined
  return isKnown && ['none', 'same-origin'].includes(String(site)) && isOwnOrigin(headers)
}

/** Whether the request comes from a page of this host, or not from a page at all. */
export const isOwnOrigin = ({ origin, host }: FastifyRequest['headers']) =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`
