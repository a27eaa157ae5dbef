import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { api } from '#contracts/index.ts'
import { alerts } from '#server/alerts/handlers.ts'
import { confirmations } from '#server/confirmations/handlers.ts'
import { conflicts } from '#server/conflicts/handlers.ts'
import { contacts } from '#server/contacts/handlers.ts'
import { deviceKeys } from '#server/device-keys/handlers.ts'
import { devices } from '#server/devices/handlers.ts'
import { protocols } from '#server/ingest/protocols.ts'
import { invoices } from '#server/invoices/handlers.ts'
import { guard } from '#server/lib/access.ts'
import { type CorsOrigins, cors } from '#server/lib/cors.ts'
import { docs, type Reference } from '#server/lib/docs.ts'
import { answerBadUrl, answerErrors, answerNoRequest, Failure } from '#server/lib/errors.ts'
import { secureHeaders } from '#server/lib/headers.ts'
import { operations } from '#server/lib/operations.ts'
import { type PortalOptions, portal } from '#server/lib/portal.ts'
import { readJson } from '#server/lib/read-json.ts'
import { serve } from '#server/lib/serve.ts'
import type { World, Worlds } from '#server/lib/world.ts'
import { links } from '#server/links/handlers.ts'
import { orders } from '#server/orders/handlers.ts'
import { paymentMethods } from '#server/payment-methods/handlers.ts'
import { webhook } from '#server/payments/webhook.ts'
import { places } from '#server/places/handlers.ts'
import { positions } from '#server/positions/handlers.ts'
import { sct2 } from '#server/sct2/handlers.ts'
import { serialChecks } from '#server/serial-checks/handlers.ts'
import { sessions } from '#server/sessions/handlers.ts'
import { subscriptions } from '#server/subscriptions/handlers.ts'
import { tags } from '#server/tags/handlers.ts'
import { team } from '#server/team/handlers.ts'
import { theft } from '#server/theft/handlers.ts'
import { trackers } from '#server/trackers/handlers.ts'
import { users } from '#server/users/handlers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    world: World
  }
}

export type AppOptions = {
  worlds: Worlds
  logger?: FastifyBaseLogger
  corsOrigins?: CorsOrigins
  trustProxy?: boolean
  rateLimits?: boolean
  portal?: PortalOptions
  /** The API reference with its examples, as it was made beforehand. */
  reference?: Reference
  /** Parts that exist only off production; mounted by their own entry point, so that they see a call before anybody else. */
  extend?: (app: FastifyInstance) => Promise<void>
}

const BODY_LIMIT = 256 * 1024
/** For what anybody may call; each call counts for itself. */
const LIMITS = { global: false, max: 120, timeWindow: '1 minute', errorResponseBuilder: () => new Failure('throttled') }

/** Builds the server; never listens. */
export async function buildApp(options: AppOptions) {
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true },
    bodyLimit: BODY_LIMIT,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy ?? false,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerNoRequest,
  })
  readJson(app)
  answerErrors(app)
  secureHeaders(app)
  cors(app, options.corsOrigins ?? [])
  await app.register(cookie)
  app.decorateRequest('world')
  app.addHook('onRequest', (request, _, done) => {
    request.world = options.worlds.of(request)
    done()
  })
  if (options.rateLimits ?? true) await app.register(rateLimit, LIMITS)
  await options.extend?.(app)
  guard(app)
  serve(app, api.alerts, alerts)
  serve(app, api.confirmations, confirmations)
  serve(app, api.conflicts, conflicts)
  serve(app, api.contacts, contacts)
  serve(app, api.deviceKeys, deviceKeys)
  serve(app, api.devices, devices)
  serve(app, api.invoices, invoices)
  serve(app, api.links, links)
  serve(app, api.orders, orders)
  serve(app, api.paymentMethods, paymentMethods)
  serve(app, api.places, places)
  serve(app, api.positions, positions)
  serve(app, api.sct2, sct2)
  serve(app, api.serialChecks, serialChecks)
  serve(app, api.sessions, sessions)
  serve(app, api.subscriptions, subscriptions)
  serve(app, api.tags, tags)
  serve(app, api.team, team)
  serve(app, api.theft, theft)
  serve(app, api.trackers, trackers)
  serve(app, api.users, users)
  webhook(app)
  protocols(app)
  operations(app)
  await docs(app, { document: options.reference, demo: options.portal?.config.demo })
  await portal(app, options.portal)
  return app
}
