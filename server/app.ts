import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { api } from '#contracts/index.ts'
import { readEngine } from '#db/schema/engine.ts'
import manifest from '#package.json' with { type: 'json' }
import { apiTokens } from '#server/accounts/api-tokens/api-tokens.handlers.ts'
import { registerKeepAddressPage } from '#server/accounts/confirmations/change-email.ts'
import { confirmations } from '#server/accounts/confirmations/confirmations.handlers.ts'
import { myData } from '#server/accounts/my-data/my-data.handlers.ts'
import { passkeys, secondFactor } from '#server/accounts/second-factor/second-factor.handlers.ts'
import { factorSignIn, recentSignIn } from '#server/accounts/sessions/factor-sign-in.handlers.ts'
import { handOff } from '#server/accounts/sessions/hand-off.ts'
import { sessions } from '#server/accounts/sessions/sessions.handlers.ts'
import { team } from '#server/accounts/team/team.handlers.ts'
import { terms } from '#server/accounts/users/terms.handlers.ts'
import { users } from '#server/accounts/users/users.handlers.ts'
import { addresses } from '#server/addresses/addresses.handlers.ts'
import { alertSwitch, alerts, batteryAlerts } from '#server/alerts/alerts.handlers.ts'
import { alertInbox, firings } from '#server/alerts/firings.handlers.ts'
import { quietHours } from '#server/alerts/quiet/quiet-hours.handlers.ts'
import { silences } from '#server/alerts/silences.handlers.ts'
import { announcements } from '#server/announcements/announcements.handlers.ts'
import { careClaims } from '#server/billing/care/care-claims.handlers.ts'
import { invoices } from '#server/billing/invoices/invoices.handlers.ts'
import { planMoves } from '#server/billing/moves/plan-moves.handlers.ts'
import { orders } from '#server/billing/orders/orders.handlers.ts'
import { planPauses } from '#server/billing/pauses/plan-pauses.handlers.ts'
import { paymentMethods } from '#server/billing/payment-methods/payment-methods.handlers.ts'
import { registerPaymentMetrics } from '#server/billing/payment-metrics.ts'
import { findOldestPaymentWork } from '#server/billing/records/payment-tasks.store.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import { stripeWebhook } from '#server/billing/sync/webhook.ts'
import type { WithdrawalRules } from '#server/billing/withdrawals/withdraw.ts'
import { channels } from '#server/channels/channels.handlers.ts'
import { contacts } from '#server/contacts/contacts.handlers.ts'
import { registerMailStopPages } from '#server/contacts/mail-stop-pages.ts'
import { registerAccessGuard } from '#server/http/access/access.ts'
import { networkKey } from '#server/http/access/limits.ts'
import { endConnectionsOnClose, endStreamsOnClose } from '#server/http/connections/closing.ts'
import { createSlowClients } from '#server/http/connections/slow-clients.ts'
import { type ApiReference, registerDocs } from '#server/http/docs/docs.ts'
import { refuseInDoubt } from '#server/http/doubted-clock.ts'
import { registerCompression } from '#server/http/encoding/compress.ts'
import { registerDecompression } from '#server/http/encoding/decompress.ts'
import { type CorsOrigins, registerCors, registerSecurityHeaders, warnOfProxy } from '#server/http/headers.ts'
import { createProcessMetrics } from '#server/http/metrics/counters.ts'
import { createMetrics, type MetricsAccess, registerOperations } from '#server/http/operations.ts'
import { type PortalOptions, registerPortal } from '#server/http/portal.ts'
import { registerJsonParser } from '#server/http/read-json.ts'
import { serve } from '#server/http/serve.ts'
import { findOldestDue } from '#server/jobs/run-jobs.ts'
import { registerLegalTexts } from '#server/legal/legal-pages.ts'
import type { LegalTexts } from '#server/legal/legal-texts.ts'
import { answerBadUrl, answerErrors, Failure } from '#server/lib/errors.ts'
import { buildLinkHead, registerLinkPicture } from '#server/links/link-preview.ts'
import { groupLinks, links } from '#server/links/links.handlers.ts'
import { registerWithdrawalPage } from '#server/mail/withdrawal-page.ts'
import { registerOperatorApi } from '#server/operator/operator-api.ts'
import { registerBusinessMetrics } from '#server/operator/today/today.ts'
import { findOldestUnsentMail } from '#server/outbox/outbox.store.ts'
import { registerPhotoFiles } from '#server/photos/photo-files.ts'
import { photos } from '#server/photos/photos.handlers.ts'
import { places } from '#server/places/places.handlers.ts'
import type { ClockGuard } from '#server/ports/clock.ts'
import type { World, Worlds } from '#server/ports/world.ts'
import { push } from '#server/push/push.handlers.ts'
import { registerPushPicture } from '#server/push/push-picture.ts'
import { registerRefusals } from '#server/security/refusals.ts'
import { security } from '#server/security/security.handlers.ts'
import { registerSupportReads } from '#server/security/support-reads.ts'
import { tags } from '#server/tags/tags.handlers.ts'
import { theft } from '#server/theft/theft.handlers.ts'
import { conflicts } from '#server/trackers/conflicts/conflicts.handlers.ts'
import { devices, owners } from '#server/trackers/devices.handlers.ts'
import { deviceKeys } from '#server/trackers/keys/device-keys.handlers.ts'
import { sct2 } from '#server/trackers/sct2/sct2.handlers.ts'
import { serialChecks } from '#server/trackers/serials/serial-checks.handlers.ts'
import { phoneTrackers, trackers } from '#server/trackers/trackers.handlers.ts'
import { days } from '#server/tracking/days/days.handlers.ts'
import { alertDryRun } from '#server/tracking/dry-run/dry-run.handlers.ts'
import { data } from '#server/tracking/import/data.handlers.ts'
import { registerNetworkRoutes } from '#server/tracking/networks/network-routes.ts'
import { networkKeys, networkNumbers, networkServer, uplinkMappings } from '#server/tracking/networks/networks.handlers.ts'
import { normal } from '#server/tracking/normal/normal.handlers.ts'
import { positions } from '#server/tracking/positions.handlers.ts'
import { registerPhoneRoutes } from '#server/tracking/protocols/protocols.ts'
import { retention } from '#server/tracking/retention/retention.handlers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    world: World
  }
}

export type AppOptions = {
  worlds: Worlds
  logger?: FastifyBaseLogger
  corsOrigins?: CorsOrigins
  /** Number or networks of the reverse proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: number | string[] | false
  rateLimits?: boolean
  portal?: PortalOptions
  /** Terms, privacy policy and imprint. */
  legal?: LegalTexts
  /** By default 14 days in all countries. */
  withdrawal?: WithdrawalRules
  /** Who may read `/metrics`: requests with the token, or nobody without one. If omitted, it is open. */
  metrics?: MetricsAccess
  /** The folder of the database, whose free space is measured. */
  dataDir?: string
  /** Checks the clock of a production server; worlds have their own clocks. */
  clockGuard?: ClockGuard
  /** Whether the API reference is served at `/docs`; default true. */
  docs?: boolean
  /** The pre-built API reference with its examples. */
  reference?: ApiReference
  /** Routes that exist only outside production, and traces. They are registered first, so their hooks run before those of the API. */
  extend?: (app: FastifyInstance) => Promise<void>
}

export const RELEASE = manifest.version

const BODY_LIMIT = 256 * 1024
/** Limit for public endpoints; each endpoint has its own count for each network. */
const PUBLIC_LIMIT = {
  global: false,
  max: 120,
  timeWindow: '1 minute',
  keyGenerator: ({ ip }: { ip: string }) => networkKey(ip),
  errorResponseBuilder: () => new Failure('throttled'),
}

/** Converts the setting to Fastify's form: the caller is the address before the last of `hops` proxies. */
const listTrusted = (proxies: number | string[] | false) =>
  typeof proxies === 'number' ? (_: string, hop: number) => hop < proxies : proxies

/** Builds the server without listening. */
export async function buildApp(options: AppOptions) {
  const slowClients = createSlowClients()
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true },
    bodyLimit: BODY_LIMIT,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: listTrusted(options.trustProxy ?? false),
    // As long as the portal's own timeout, because uploads of 64 MB come over slow connections.
    requestTimeout: 180_000,
    forceCloseConnections: 'idle',
    http: slowClients.http,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: slowClients.clientErrorHandler,
  })
  slowClients.watch(app.server)
  registerJsonParser(app)
  answerErrors(app)
  registerSecurityHeaders(app)
  await registerCors(app, options.corsOrigins ?? [])
  await app.register(cookie)
  app.decorateRequest('world')
  createMetrics(app)
  app.addHook('onRequest', (request, _, done) => {
    request.world = options.worlds.of(request)
    done()
  })
  if (!options.trustProxy) warnOfProxy(app)
  if (options.rateLimits ?? true) await app.register(rateLimit, PUBLIC_LIMIT)
  await options.extend?.(app)
  if (options.clockGuard) refuseInDoubt(app, options.clockGuard)
  registerDecompression(app)
  registerCompression(app)
  registerAccessGuard(app)
  registerSupportReads(app)
  registerRefusals(app)
  endStreamsOnClose(app)
  endConnectionsOnClose(app)
  serve(app, api.addresses, addresses)
  serve(app, api.alertDryRun, alertDryRun)
  serve(app, api.alertSwitch, alertSwitch)
  serve(app, api.alerts, alerts)
  serve(app, api.announcements, announcements)
  serve(app, api.apiTokens, apiTokens)
  serve(app, api.batteryAlerts, batteryAlerts)
  serve(app, api.careClaims, careClaims)
  serve(app, api.confirmations, confirmations)
  serve(app, api.conflicts, conflicts)
  serve(app, api.contacts, contacts)
  serve(app, api.data, data)
  serve(app, api.days, days)
  serve(app, api.deviceKeys, deviceKeys)
  serve(app, api.devices, devices)
  serve(app, api.factorSignIn, factorSignIn)
  serve(app, api.firings, firings)
  serve(app, api.alertInbox, alertInbox)
  serve(app, api.groupLinks, groupLinks)
  serve(app, api.invoices, invoices)
  serve(app, api.links, links)
  serve(app, api.handOff, handOff)
  serve(app, api.myData, myData)
  serve(app, api.networkKeys, networkKeys)
  serve(app, api.networkNumbers, networkNumbers)
  serve(app, api.networkServer, networkServer)
  serve(app, api.channels, channels)
  serve(app, api.normal, normal)
  serve(app, api.orders, orders)
  serve(app, api.owners, owners)
  serve(app, api.passkeys, passkeys)
  serve(app, api.paymentMethods, paymentMethods)
  serve(app, api.phoneTrackers, phoneTrackers)
  serve(app, api.photos, photos)
  serve(app, api.places, places)
  serve(app, api.positions, positions)
  serve(app, api.push, push)
  serve(app, api.quietHours, quietHours)
  serve(app, api.recentSignIn, recentSignIn)
  serve(app, api.retention, retention)
  serve(app, api.sct2, sct2)
  serve(app, api.secondFactor, secondFactor)
  serve(app, api.serialChecks, serialChecks)
  serve(app, api.security, security)
  serve(app, api.sessions, sessions)
  serve(app, api.silences, silences)
  serve(app, api.subscriptions, subscriptions)
  serve(app, api.planMoves, planMoves)
  serve(app, api.planPauses, planPauses)
  serve(app, api.tags, tags)
  serve(app, api.team, team)
  serve(app, api.terms, terms)
  serve(app, api.theft, theft)
  serve(app, api.trackers, trackers)
  serve(app, api.uplinkMappings, uplinkMappings)
  serve(app, api.users, users)
  registerOperatorApi(app)
  stripeWebhook(app)
  registerPhoneRoutes(app)
  registerNetworkRoutes(app)
  createProcessMetrics(app, { version: RELEASE, engine: readEngine(), dataDir: options.dataDir })
  registerPaymentMetrics(app)
  registerBusinessMetrics(app)
  registerOperations(app, { readLag, clockGuard: options.clockGuard, metrics: options.metrics })
  if (options.docs ?? true) await registerDocs(app, { document: options.reference, demo: options.portal?.config.demo })
  registerLegalTexts(app, options.legal)
  registerPhotoFiles(app)
  registerLinkPicture(app)
  registerPushPicture(app)
  await registerMailStopPages(app)
  await registerWithdrawalPage(app, options.withdrawal)
  await registerKeepAddressPage(app)
  await registerPortal(app, options.portal, buildLinkHead)
  return app
}

/**
 * The age of the oldest unsent mail and of the oldest open call to Stripe or event of it, and the seconds by which the oldest due job is
 * late.
 */
async function readLag({ db, clock, graceDays }: Pick<World, 'db' | 'clock' | 'graceDays'>) {
  const now = clock.now().getTime()
  const late = (dueAt: Date | null) => (dueAt ? Math.max(0, now - dueAt.getTime()) / 1000 : 0)
  const [mail, job, payment] = await Promise.all([
    findOldestUnsentMail(db.read),
    findOldestDue({ db, graceDays }, clock.now()),
    findOldestPaymentWork(db.read),
  ])
  return { mail: late(mail), job: late(job), payment: late(payment) }
}
