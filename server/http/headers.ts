import fastifyCors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { CSRF_HEADER } from '#contracts/lib/requests.ts'

/** `loopback`: every origin of this machine, at any port. */
export type CorsOrigins = readonly string[] | 'loopback'

const ALLOWED = {
  origin: true,
  credentials: true,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'Last-Event-ID', 'X-World', CSRF_HEADER],
  exposedHeaders: ['Content-Disposition', 'Date', 'ETag', 'Retry-After'],
  maxAge: 600,
  strictPreflight: false,
}

/** Adds CORS headers for these origins to every response, errors included: without them a browser hides the response. */
export async function registerCors(app: FastifyInstance, origins: CorsOrigins) {
  // Without allowed origins no response needs CORS headers, and the plugin would slow down every request.
  if (origins.length === 0) return
  await app.register(fastifyCors, {
    delegator: ({ headers: { origin } }, done) =>
      done(null, origin && (origins === 'loopback' ? isLoopback(origin) : origins.includes(origin)) ? ALLOWED : { origin: false }),
  })
}

/** Names of this machine only: a name chosen by an attacker cannot be among them. */
const LOOPBACK = /^https?:\/\/(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

const isLoopback = (origin: string) => LOOPBACK.test(origin)

const pageHeaders = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(self), display-capture=(), geolocation=(self), microphone=(), midi=(), usb=()',
}
const headers = { 'x-content-type-options': 'nosniff', ...pageHeaders }

/** Sets constant security headers, at a tenth of the cost of a plugin. The page's content security policy is in `portal.ts`. */
export function registerSecurityHeaders(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}

/** Removes headers that only pages and errors need from the headers of a static file, which keeps `nosniff`. */
export function removePageHeaders(reply: FastifyReply) {
  for (const name of [...Object.keys(pageHeaders), 'x-request-id']) reply.removeHeader(name)
}

/** Warns once when requests come through an untrusted proxy: limits by address would count all callers together. */
export function warnOfProxy(app: FastifyInstance) {
  let isWarned = false
  app.addHook('onRequest', (request, _, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      app.log.warn('requests carry X-Forwarded-For, but TRUST_PROXY is not set: limits count all callers behind the proxy as one')
    }
    done()
  })
}
